//! What one instance was told counts at all of them. It must ask another instance than the first.
