"""This installation: licences, known answers, what may be told of a fault."""
