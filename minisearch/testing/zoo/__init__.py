"""How does the web misbehave? A pen for each way, and a key that says what a good crawler makes of it."""
