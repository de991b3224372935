"""The version, in one place; setup, reports and the window read it here."""

VERSION = "0.1.0"
