"""The formats, one file for each family; `recognising` asks them all."""
