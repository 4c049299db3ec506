"""Protocols: prompt, reply grammar and observation format, a file each."""
