"""Sets from elsewhere: fetched or added, unpacked, recorded, and listed with their contents."""
