//! Webhook endpoints of an account: address, topics and health. Secrets must never be here: they
//! are derived from the version of the secret where they are needed.

use super::{EndpointHealth, Topic};
use crate::account::AccountId;
use crate::time::Timestamp;
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// Most endpoints of an account: every event is delivered once for each.
pub const ENDPOINTS_MAX: usize = 20;

/// Most characters of a description.
pub const DESCRIPTION_MAX: usize = 200;

/// How long a secret is still signed with after it was replaced: time to change it everywhere.
pub const SECRET_ROTATION_OVERLAP: Duration = Duration::from_hours(24);

/// The number an endpoint goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EndpointId(u64);

impl EndpointId {
    /// The greatest number: every client reads it as an exact number.
    pub const MAX: u64 = 9_007_199_254_740_991;

    /// A number from 1 to [`Self::MAX`]; `None` for any other.
    pub fn new(number: u64) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for EndpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The address of an endpoint, as it was found fit to be delivered to. Whether what it resolves to
/// may be reached is looked at again with every delivery.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target(String);

impl Target {
    /// Longest address.
    pub const LENGTH_MAX: usize = 2000;

    /// An address that was checked, in the form that the client dials.
    pub fn checked(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The topics an endpoint subscribes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Topics {
    /// Everything, whatever else there will be.
    All,
    /// These.
    Only(BTreeSet<Topic>),
}

/// Which of an endpoint's secrets, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SecretVersion {
    number: u32,
    pepper: u32,
}

impl SecretVersion {
    /// Of the secret an endpoint begins with, under the first pepper.
    pub const FIRST: Self = Self::of(1, 1);

    /// As it was counted, and the generation of the pepper that the secret is made from.
    pub const fn of(number: u32, pepper: u32) -> Self {
        Self { number, pepper }
    }

    /// The count of it.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The generation of the pepper that the secret is made from.
    pub const fn pepper(self) -> u32 {
        self.pepper
    }

    /// Of the secret after this one, which is made from a generation of the pepper.
    #[must_use]
    pub const fn next(self, pepper: u32) -> Self {
        Self::of(self.number.saturating_add(1), pepper)
    }

    /// Of the secret before this one, if there was one, which was made from a generation of the
    /// pepper.
    pub fn before(self, pepper: u32) -> Option<Self> {
        (self.number > Self::FIRST.number).then(|| Self::of(self.number.saturating_sub(1), pepper))
    }
}

/// What a merchant wants an endpoint to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Where to deliver to, as the merchant wrote it.
    pub url: String,
    /// The topics it subscribes to.
    pub topics: Topics,
    /// A note of the merchant's.
    pub description: String,
    /// Whether its events show meter tokens.
    pub with_tokens: bool,
}

/// An endpoint of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The number it goes by.
    pub id: EndpointId,
    /// Whose it is.
    pub account: AccountId,
    /// Where to deliver to.
    pub target: Target,
    /// The topics it subscribes to.
    pub topics: Topics,
    /// A note of the merchant's.
    pub description: String,
    /// Whether its events show meter tokens.
    pub with_tokens: bool,
    /// Which secret deliveries are signed with.
    pub generation: SecretVersion,
    /// The generations of the pepper that the two secrets before were made from, the later one
    /// first; 1 where there was none.
    pub peppers_before: [u32; 2],
    /// When the secret was last changed.
    pub rotated_at: Option<Timestamp>,
    /// When it was changed before that.
    pub rotated_before: Option<Timestamp>,
    /// Whether it is served, and since when it fails.
    pub health: EndpointHealth,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Endpoint {
    /// Whether it subscribes to a topic. A test event is delivered to every endpoint.
    pub fn subscribes_to(&self, topic: Topic) -> bool {
        let asked_for = match &self.topics {
            Topics::All => true,
            Topics::Only(topics) => topics.contains(&topic),
        };
        asked_for || topic == Topic::Ping
    }

    /// The secrets to sign with, the present one first: each that was replaced less than
    /// [`SECRET_ROTATION_OVERLAP`] ago signs as well.
    pub fn generations(&self, now: Timestamp) -> impl Iterator<Item = SecretVersion> + use<> {
        let [later, earlier] = self.peppers_before;
        let before = self.generation.before(later);
        let overlapping = [
            before.filter(|_| overlaps(self.rotated_at, now)),
            before
                .and_then(|it| it.before(earlier))
                .filter(|_| overlaps(self.rotated_before, now)),
        ];
        std::iter::once(self.generation).chain(overlapping.into_iter().flatten())
    }

    /// Gives it its next secret, which is made from a generation of the pepper.
    pub fn rotate(&mut self, now: Timestamp, pepper: u32) {
        let [later, _] = self.peppers_before;
        self.peppers_before = [self.generation.pepper(), later];
        self.generation = self.generation.next(pepper);
        self.rotated_before = self.rotated_at.replace(now);
    }

    /// Whether it may have its next secret: not while that would end the signing of one too early.
    pub fn may_rotate(&self, now: Timestamp) -> bool {
        !overlaps(self.rotated_before, now)
    }
}

fn overlaps(replaced_at: Option<Timestamp>, now: Timestamp) -> bool {
    replaced_at.is_some_and(|at| now < at.plus(SECRET_ROTATION_OVERLAP))
}

/// Why a text is no description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be at most {DESCRIPTION_MAX} characters, none of them a control character")]
pub struct InvalidDescription;

impl InvalidDescription {
    /// Whether a text may be a description.
    ///
    /// # Errors
    /// Refuses what is too long or cannot be shown.
    pub fn unless_fit(text: &str) -> Result<(), Self> {
        let fits = text.chars().count() <= DESCRIPTION_MAX && !text.chars().any(char::is_control);
        fits.then_some(()).ok_or(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint() -> Endpoint {
        Endpoint {
            id: EndpointId::new(7).unwrap(),
            account: AccountId::parse("shop").unwrap(),
            target: Target::checked("https://shop.example/events"),
            topics: Topics::Only(BTreeSet::from([Topic::TransactionFailed])),
            description: String::new(),
            with_tokens: false,
            generation: SecretVersion::FIRST,
            peppers_before: [1, 1],
            rotated_at: None,
            rotated_before: None,
            health: EndpointHealth::GOOD,
            created_at: Timestamp::from_millis(0),
        }
    }

    #[test]
    fn it_receives_its_topics_and_trials() {
        let picky = endpoint();
        assert!(picky.subscribes_to(Topic::TransactionFailed) && picky.subscribes_to(Topic::Ping));
        assert!(!picky.subscribes_to(Topic::TransactionSuccessful));
        let curious = Endpoint {
            topics: Topics::All,
            ..picky
        };
        assert!(
            Topic::ALL
                .into_iter()
                .all(|topic| curious.subscribes_to(topic))
        );
    }

    #[test]
    fn for_a_day_after_a_change_both_secrets_sign() {
        let rotated = Endpoint {
            generation: SecretVersion::FIRST.next(1),
            rotated_at: Some(Timestamp::from_millis(1_000)),
            ..endpoint()
        };
        let at = |millis| {
            let moment = Timestamp::from_millis(millis);
            rotated
                .generations(moment)
                .map(SecretVersion::number)
                .collect::<Vec<_>>()
        };
        assert_eq!(at(1_000), [2, 1]);
        assert_eq!(at(24 * 3_600_000 + 999), [2, 1]);
        assert_eq!(at(24 * 3_600_000 + 1_000), [2]);
        let first: Vec<_> = endpoint().generations(Timestamp::from_millis(0)).collect();
        assert_eq!(first, [SecretVersion::FIRST]);
    }

    #[test]
    fn every_secret_that_was_replaced_within_a_day_signs_and_no_third_change_ends_that() {
        let day = 24 * 3_600_000;
        let rotated = Endpoint {
            generation: SecretVersion::of(7, 1),
            rotated_at: Some(Timestamp::from_millis(1_000)),
            rotated_before: Some(Timestamp::from_millis(400)),
            ..endpoint()
        };
        for (millis, signing) in [
            (1_000, vec![7, 6, 5]),
            (day + 399, vec![7, 6, 5]),
            (day + 400, vec![7, 6]),
            (day + 999, vec![7, 6]),
            (day + 1_000, vec![7]),
        ] {
            let moment = Timestamp::from_millis(millis);
            let generations = rotated.generations(moment).map(SecretVersion::number);
            assert_eq!(generations.collect::<Vec<_>>(), signing);
            assert_eq!(rotated.may_rotate(moment), signing.len() < 3);
        }
    }

    #[test]
    fn each_secret_keeps_the_pepper_that_it_was_made_from() {
        let mut rotated = endpoint();
        let at = Timestamp::from_millis;
        let mut signing = Vec::new();
        for (moment, pepper) in [(100, 1), (200, 2), (300, 5)] {
            rotated.rotate(at(moment), pepper);
            signing.push(rotated.generations(at(moment)).collect::<Vec<_>>());
        }
        let of = |secrets: &[(u32, u32)]| -> Vec<_> {
            let secrets = secrets.iter();
            secrets
                .map(|(number, pepper)| SecretVersion::of(*number, *pepper))
                .collect()
        };
        let expected = [
            of(&[(2, 1), (1, 1)]),
            of(&[(3, 2), (2, 1), (1, 1)]),
            of(&[(4, 5), (3, 2), (2, 1)]),
        ];
        assert_eq!(signing, expected);
    }

    #[test]
    fn a_description_is_short_and_can_be_shown() {
        let longest = "ẹ".repeat(DESCRIPTION_MAX);
        for text in ["", "The shop in Ìbàdàn", &longest] {
            assert_eq!(InvalidDescription::unless_fit(text), Ok(()));
        }
        for text in [&format!("{longest}a"), "two\nlines", "\u{7f}"] {
            assert_eq!(
                InvalidDescription::unless_fit(text),
                Err(InvalidDescription)
            );
        }
    }
}
