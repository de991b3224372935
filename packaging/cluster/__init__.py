"""Counting on Spark, tried for real by `make test-cluster`: it needs Java and half a gigabyte of Spark."""
