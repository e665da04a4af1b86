"""Character knowledge: what one character can know at one time, decided before anything is matched or ranked."""
