"""The running table: devices -> facts -> referee -> effects. The only place with an event loop."""
