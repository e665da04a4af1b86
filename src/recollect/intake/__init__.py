"""Every way in, joined: the kinds of files, and what a bundle may carry beside records and facts."""
