//! Tells merchants' endpoints of events: signs, posts and repeats until they say that they have
//! them. It must never dial an address that was not judged, and never lose what was not delivered.

pub mod dispatcher;
pub mod guard;
pub mod sign;
pub mod transport;
