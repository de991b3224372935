"""Long days: a user who does whatever comes to his mind, for hours, and whose program stays well."""
