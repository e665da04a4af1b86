"""Issues, pull requests and what is said about them, as the APIs of trackers give them."""
