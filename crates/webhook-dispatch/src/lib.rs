//! Delivers events to merchants' endpoints: signs, posts and retries until an endpoint
//! acknowledges. It must never dial an address that was not checked, and never lose what was not
//! delivered.

pub mod dispatcher;
pub mod guard;
pub mod transport;
