//! What the number of a message forces on its delivery. No other family looks at these endings.

use domain::sandbox::TestNumber;

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
        let reaches = [
            (TestNumber::Undelivered, Self::Undelivered),
            (TestNumber::Expired, Self::Expired),
            (TestNumber::Buffered, Self::Held),
        ];
        let test = TestNumber::of(digits);
        let mut reaches = reaches.into_iter();
        let found = reaches.find(|(forcing, _)| Some(*forcing) == test);
        found.map_or(Self::Arrives, |(_, reach)| reach)
    }
}
