"""What every section of the web app is made of: declarations, requests, forms, clocks, rendering, sessions."""
