"""From a path to bytes and text: archives, compression, encodings, bounds."""
