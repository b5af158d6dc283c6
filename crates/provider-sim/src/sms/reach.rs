//! What the number of a message forces on its delivery. No other family looks at these endings.

use crate::script::last_four;

/// How far a message comes that a network took over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Every part is delivered.
    Arrives,
    /// One part, and with it the message, cannot be delivered.
    Undelivered,
    /// The handset is not reached in time.
    Expired,
    /// The handset is not reached, and the network goes on trying.
    Held,
}

impl Reach {
    /// What the number of a message makes of it.
    pub(crate) fn of(digits: &str) -> Self {
        match last_four(digits) {
            "0015" => Self::Undelivered,
            "0016" => Self::Expired,
            "0017" => Self::Held,
            _ => Self::Arrives,
        }
    }
}
