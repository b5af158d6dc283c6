//! Maintenance that an operator announces while the gateway runs. It must be written in one way
//! only, because an end is signed for the very text that its beginning was signed for.

use crate::order::Service;
use crate::provider::ProviderId;
use crate::time::Timestamp;
use std::fmt;

/// What is given no orders, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedMaintenance {
    scope: MaintenanceScope,
    from: Timestamp,
    until: Timestamp,
}

/// What maintenance is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MaintenanceScope {
    /// An account at a provider.
    Provider(ProviderId),
    /// A product, whichever provider delivers it.
    Service(Service),
    /// A biller, network or bank of a product, by its code.
    Biller(Service, String),
}

/// Why maintenance cannot be announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMaintenance {
    /// It ends before it begins, or as it begins.
    #[error("must be after the beginning")]
    Backwards,
    /// It lasts too long.
    #[error("must be within 31 days of the beginning; what is away for longer is paused")]
    TooLong,
    /// It is over.
    #[error("must be later than now")]
    Over,
    /// The code of a biller has a character that none has.
    #[error("must be the code of a biller: 1 to 40 letters, digits, - and _")]
    Biller,
}

impl MaintenanceScope {
    /// The words of the scopes.
    pub const WORDS: [&'static str; 3] = ["provider", "service", "biller"];

    /// Most characters of the code of a biller.
    pub const BILLER_LENGTH_MAX: usize = 40;

    /// A biller of a product.
    ///
    /// # Errors
    /// Refuses what is no code of a biller.
    pub fn biller(service: Service, code: &str) -> Result<Self, InvalidMaintenance> {
        let known = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
        let fits = (1..=Self::BILLER_LENGTH_MAX).contains(&code.len()) && code.chars().all(known);
        fits.then(|| Self::Biller(service, code.to_owned()))
            .ok_or(InvalidMaintenance::Biller)
    }

    /// The word of the scope.
    pub const fn word(&self) -> &'static str {
        let [provider, service, biller] = Self::WORDS;
        match self {
            Self::Provider(_) => provider,
            Self::Service(_) => service,
            Self::Biller(..) => biller,
        }
    }

    /// The provider, where it is of one.
    pub const fn provider(&self) -> Option<&ProviderId> {
        match self {
            Self::Provider(provider) => Some(provider),
            Self::Service(_) | Self::Biller(..) => None,
        }
    }

    /// The product, where it is of one.
    pub const fn service(&self) -> Option<Service> {
        match self {
            Self::Provider(_) => None,
            Self::Service(service) | Self::Biller(service, _) => Some(*service),
        }
    }

    /// The code of the biller, where it is of one.
    pub fn biller_code(&self) -> Option<&str> {
        match self {
            Self::Provider(_) | Self::Service(_) => None,
            Self::Biller(_, code) => Some(code),
        }
    }
}

impl AnnouncedMaintenance {
    /// Longest time in days.
    pub const DAYS_MAX: i64 = 31;

    /// Maintenance from one moment up to another, announced at a third.
    ///
    /// # Errors
    /// Refuses a time that is over, that ends before it begins, and a longer one than
    /// [`Self::DAYS_MAX`].
    pub fn announce(
        scope: MaintenanceScope,
        (from, until): (Timestamp, Timestamp),
        now: Timestamp,
    ) -> Result<Self, InvalidMaintenance> {
        // As answers show them: what is announced is ended by the moments that are shown.
        let [from, until] = [from, until].map(Timestamp::whole_second);
        if until <= from {
            return Err(InvalidMaintenance::Backwards);
        }
        if until <= now {
            return Err(InvalidMaintenance::Over);
        }
        let lasts = until.as_millis().saturating_sub(from.as_millis());
        if lasts > Self::DAYS_MAX.saturating_mul(24 * 60 * 60 * 1000) {
            return Err(InvalidMaintenance::TooLong);
        }
        Ok(Self { scope, from, until })
    }

    /// What it is of.
    pub const fn scope(&self) -> &MaintenanceScope {
        &self.scope
    }

    /// Its first moment.
    pub const fn from(&self) -> Timestamp {
        self.from
    }

    /// The moment after its last.
    pub const fn until(&self) -> Timestamp {
        self.until
    }

    /// Reads what it is written as; `None` of anything else.
    pub fn from_record(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let scope = match (words.next()?, words.next()?) {
            ("provider", id) => MaintenanceScope::Provider(ProviderId::parse(id).ok()?),
            ("service", code) => MaintenanceScope::Service(Service::from_code(code)?),
            ("biller", code) => {
                MaintenanceScope::biller(Service::from_code(code)?, words.next()?).ok()?
            }
            _ => return None,
        };
        let mut moment = || words.next()?.parse().ok().map(Timestamp::from_millis);
        let (from, until) = (moment()?, moment()?);
        let read = Self { scope, from, until };
        (read.to_string() == text).then_some(read)
    }
}

/// As it is written in records: the scope, what it is of, and the milliseconds of both moments.
impl fmt::Display for AnnouncedMaintenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.scope.word())?;
        match &self.scope {
            MaintenanceScope::Provider(provider) => write!(f, "{provider}"),
            MaintenanceScope::Service(service) => f.write_str(service.code()),
            MaintenanceScope::Biller(service, code) => write!(f, "{} {code}", service.code()),
        }?;
        write!(f, " {} {}", self.from.as_millis(), self.until.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_millis(day * 24 * 60 * 60 * 1000)
    }

    #[test]
    fn what_is_written_reads_back() {
        let scopes = [
            MaintenanceScope::Provider(ProviderId::parse("my-shop").unwrap()),
            MaintenanceScope::Service(Service::Airtime),
            MaintenanceScope::biller(Service::Airtime, "01").unwrap(),
        ];
        for scope in scopes {
            let one = AnnouncedMaintenance::announce(scope, (at(1), at(2)), at(0)).unwrap();
            assert_eq!(
                AnnouncedMaintenance::from_record(&one.to_string()),
                Some(one)
            );
        }
        for wrong in [
            "",
            "provider",
            "provider my-shop 1",
            "service nothing 1 2",
            "service airtime 1 2 3",
            "service airtime 01 2",
            "biller airtime a%b 1 2",
        ] {
            assert_eq!(AnnouncedMaintenance::from_record(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_time_is_bounded_and_not_over() {
        let of = |from, until| {
            let scope = MaintenanceScope::Service(Service::Airtime);
            AnnouncedMaintenance::announce(scope, (at(from), at(until)), at(10)).err()
        };
        assert_eq!(of(9, 11), None);
        assert_eq!(of(9, 40), None);
        assert_eq!(of(9, 41), Some(InvalidMaintenance::TooLong));
        assert_eq!(of(11, 11), Some(InvalidMaintenance::Backwards));
        assert_eq!(of(9, 10), Some(InvalidMaintenance::Over));
    }

    #[test]
    fn the_code_of_a_biller_has_no_blanks() {
        let long = "a".repeat(41);
        for wrong in ["", "a b", "a=b", &long] {
            let scope = MaintenanceScope::biller(Service::Airtime, wrong);
            assert_eq!(scope, Err(InvalidMaintenance::Biller), "{wrong}");
        }
    }
}
