"""Lets the tests run the plugin in a pytest of its own."""

pytest_plugins = ["pytester"]
