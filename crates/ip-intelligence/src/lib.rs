//! Where IP addresses are. It must never guess.
