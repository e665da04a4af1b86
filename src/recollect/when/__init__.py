"""Everything about time: instants, periods of any calendar, clocks, and dates in words."""
