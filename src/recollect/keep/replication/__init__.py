"""`recollect sync`: stores of several devices exchange transactions and settle what they did apart."""
