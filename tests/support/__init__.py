"""What tests share: real servers on loopback, small notebooks."""
