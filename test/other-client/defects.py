"""What is planted in the library and in the command line."""
