"""Where listeners take a test by ear: full screen, by keyboard or mouse, every answer kept at once."""
