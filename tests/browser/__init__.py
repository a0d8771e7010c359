"""What people do, in a real browser, against a real server with the built client."""
