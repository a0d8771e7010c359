"""Reading from and writing to a terminal: streams, signals, printing, the interactive table."""
