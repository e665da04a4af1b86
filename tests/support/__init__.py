"""What tests share: memories told things, servers and processes to speak to, worlds to look at."""
