"""The server: tables, seats, live play over HTTP and WebSocket; nothing lost and nothing leaked."""
