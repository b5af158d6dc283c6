//! What a delivery is signed with. It must never be shown but to the merchant who has just asked
//! for it, and never be stored.

use std::fmt;

/// The key of the signatures of an endpoint, one generation of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
