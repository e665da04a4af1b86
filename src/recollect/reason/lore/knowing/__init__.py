"""What one character can know at one time: decided here, before anything is matched or ranked."""
