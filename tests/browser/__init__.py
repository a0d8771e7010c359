"""Tests of user actions in a real browser, against a real server with the built client."""
