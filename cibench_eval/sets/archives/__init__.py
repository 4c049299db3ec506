"""Sets that come from elsewhere: fetched or added, unpacked, recorded, and listed with what is in them."""
