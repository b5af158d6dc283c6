//! The text message that is sent instead where a device is not reached by RCS. The provider sends
//! it; nothing here may price it.

use crate::sms::Content;

/// A text message that the provider sends instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmsFallback {
    /// What it says.
    pub content: Content,
    /// How long the device is tried by RCS before.
    pub after: FallbackDelay,
}

/// How long a device is tried by RCS before the text message is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallbackDelay(u32);

/// No such time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be {} to {} seconds",
    FallbackDelay::SECONDS_MIN,
    FallbackDelay::SECONDS_MAX
)]
pub struct InvalidFallbackDelay;

impl FallbackDelay {
    /// Shortest time: a minute.
    pub const SECONDS_MIN: u32 = 60;

    /// Longest time: a day.
    pub const SECONDS_MAX: u32 = 86_400;

    /// Where nothing is said: an hour. Devices that are on have a message within seconds, and one
    /// that is off for an hour is likely to stay so.
    pub const DEFAULT: Self = Self(3_600);

    /// So many seconds.
    ///
    /// # Errors
    /// Refuses less than a minute and more than a day.
    pub fn from_seconds(seconds: u32) -> Result<Self, InvalidFallbackDelay> {
        (Self::SECONDS_MIN..=Self::SECONDS_MAX)
            .contains(&seconds)
            .then_some(Self(seconds))
            .ok_or(InvalidFallbackDelay)
    }

    /// The seconds.
    pub const fn seconds(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_tried_for_a_minute_to_a_day() {
        for seconds in [60, 3_600, 86_400] {
            assert_eq!(
                FallbackDelay::from_seconds(seconds).unwrap().seconds(),
                seconds
            );
        }
        for seconds in [0, 59, 86_401, u32::MAX] {
            let read = FallbackDelay::from_seconds(seconds);
            assert_eq!(read, Err(InvalidFallbackDelay), "{seconds}");
        }
        let default = FallbackDelay::DEFAULT.seconds();
        assert_eq!(
            FallbackDelay::from_seconds(default),
            Ok(FallbackDelay::DEFAULT)
        );
    }
}
