"""Simulations whose truth is known: how often intervals hold it, and how often tests are wrong."""
