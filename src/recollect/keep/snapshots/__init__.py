"""Names for transactions, and going back to them."""
