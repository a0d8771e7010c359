"""The commands of `zashiki`, one module each, named as the command is typed."""
