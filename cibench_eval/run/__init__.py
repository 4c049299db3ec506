"""What is done with a run: its sessions are run, here or by jobs, scored and shown, and its folder is read again."""
