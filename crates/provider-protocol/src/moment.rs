//! Moments as RFC 3339 in UTC, such as `2026-01-15T09:00:00.000Z`. A moment without an offset must
//! be refused: its zone would be a guess.

use domain::time::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A moment, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Timestamp);

impl From<Timestamp> for Moment {
    fn from(at: Timestamp) -> Self {
        Self(at)
    }
}

impl From<Moment> for Timestamp {
    fn from(Moment(at): Moment) -> Self {
        at
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = jiff::Timestamp::from_millisecond(self.0.as_millis());
        // Beyond the year 9999 there is no RFC 3339; the latest moment says "never" as well.
        let at = at.unwrap_or(jiff::Timestamp::MAX);
        serializer.collect_str(&format_args!("{at:.3}"))
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at: jiff::Timestamp = text.parse().map_err(|_| {
            D::Error::custom("a moment must be RFC 3339 with an offset: 2026-01-15T09:00:00.000Z")
        })?;
        Ok(Self(Timestamp::from_millis(at.as_millisecond())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{read, write};

    #[test]
    fn a_moment_is_written_in_utc_and_read_with_any_offset() {
        let at = Moment(Timestamp::from_millis(1_768_467_600_000));
        assert_eq!(write(&at).unwrap(), br#""2026-01-15T09:00:00.000Z""#);
        for text in [
            r#""2026-01-15T09:00:00Z""#,
            r#""2026-01-15T10:00:00.000+01:00""#,
        ] {
            assert_eq!(read::<Moment>(text.as_bytes()), Ok(at), "{text}");
        }
        for text in [
            r#""2026-01-15T09:00:00""#,
            r#""2026-01-15""#,
            "1768467600000",
        ] {
            assert!(read::<Moment>(text.as_bytes()).is_err(), "{text}");
        }
    }
}
