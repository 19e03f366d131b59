"""Mail out: MIME and the relay."""
