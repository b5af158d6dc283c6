//! Where an IP address is. It must never guess: what is not known is absent.
