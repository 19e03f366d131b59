"""Moving borders (Seismic): orders that change which provinces are adjacent."""
