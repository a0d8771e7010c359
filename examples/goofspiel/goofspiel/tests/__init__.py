"""Every ruling, the laws that only Goofspiel has, and small forms solved exactly."""
