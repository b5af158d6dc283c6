//! Finding out where an IP address is. It must never fail for want of a database: what is not known
//! is absent.
