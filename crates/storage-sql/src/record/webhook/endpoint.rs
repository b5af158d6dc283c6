//! Endpoints as rows and back. Topics are their words with a space between two of them; none at all
//! stands for everything there will ever be, so that it needs no change when there is more.

use crate::PART;
use crate::field_cipher::FieldCipher;
use crate::record::{RecordError, opened, scalar::valid};
use domain::account::AccountId;
use domain::time::Timestamp;
use domain::webhook::{
    DisabledBecause, Endpoint, EndpointHealth, EndpointId, EndpointState, SecretVersion, Target,
    Topic, Topics,
};
use ports::PortError;
use serde::Serialize;

/// An endpoint as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointRow {
    /// Whose it is.
    pub account: String,
    /// The number it goes by.
    pub id: i64,
    /// Where to deliver to, sealed: merchants put secrets into addresses.
    pub target: String,
    /// The topics it subscribes to.
    pub topics: Option<String>,
    /// A note of the merchant's.
    pub description: String,
    /// Whether its events show meter tokens.
    pub with_tokens: bool,
    /// Which secret is signed with.
    pub generation: i64,
    /// When the secret was last changed, in milliseconds.
    pub rotated_at: Option<i64>,
    /// When it was changed before that, in milliseconds.
    pub rotated_before: Option<i64>,
    /// What its three newest secrets were made from, see [`secret_peppers`].
    pub peppers: String,
    /// When it was made, in milliseconds.
    pub created_at: i64,
    /// How it does.
    pub health: HealthRow,
}

impl EndpointRow {
    /// The endpoint the row holds.
    ///
    /// # Errors
    /// When the row breaks a rule; the error names the endpoint.
    pub fn restore(self, cipher: &FieldCipher) -> Result<Endpoint, PortError> {
        let (account, id) = (self.account.clone(), self.id);
        self.read(cipher).map_err(|error| {
            let what = format!("endpoint {id} of {account} cannot be read");
            PortError::caused(PART, what, error)
        })
    }

    fn read(self, cipher: &FieldCipher) -> Result<Endpoint, RecordError> {
        let target = cipher.open(&place(&self.account, &self.id.to_string()), self.target);
        opened("target", &target)?;
        let [pepper, peppers_before @ ..] = read_peppers(&self.peppers)?;
        Ok(Endpoint {
            id: endpoint_id(self.id)?,
            account: valid(AccountId::parse(&self.account), "account")?,
            target: Target::checked(target),
            topics: read_topics(self.topics.as_deref()),
            description: self.description,
            with_tokens: self.with_tokens,
            generation: SecretVersion::of(
                valid(u32::try_from(self.generation), "secret_version")?,
                pepper,
            ),
            peppers_before,
            rotated_at: self.rotated_at.map(Timestamp::from_millis),
            rotated_before: self.rotated_before.map(Timestamp::from_millis),
            health: self.health.read()?,
            created_at: Timestamp::from_millis(self.created_at),
        })
    }
}

/// The generations of the pepper that the three newest secrets of an endpoint were made from, as
/// they are stored: three numbers with commas between, the newest first.
pub fn secret_peppers(endpoint: &Endpoint) -> String {
    let [later, earlier] = endpoint.peppers_before;
    format!("{},{later},{earlier}", endpoint.generation.pepper())
}

fn read_peppers(text: &str) -> Result<[u32; 3], RecordError> {
    let numbers = text.split(',').map(str::parse::<u32>);
    let numbers: Vec<_> = valid(numbers.collect::<Result<_, _>>(), "secret_peppers")?;
    valid(
        <[u32; 3]>::try_from(numbers).map_err(|_| NotThree),
        "secret_peppers",
    )
}

/// Why a text is not of three secrets.
#[derive(Debug, thiserror::Error)]
#[error("there must be three numbers")]
struct NotThree;

/// Where an endpoint is delivered to, as it is stored.
///
/// # Errors
/// When it cannot be sealed.
pub fn target(endpoint: &Endpoint, cipher: &FieldCipher) -> Result<String, PortError> {
    let (account, id) = (endpoint.account.as_str(), endpoint.id.to_string());
    cipher.seal(&place(account, &id), endpoint.target.as_str())
}

const fn place<'a>(account: &'a str, id: &'a str) -> [&'a str; 3] {
    ["endpoints.target", account, id]
}

/// An enabled endpoint, as much of it as a batch needs to know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriberRow {
    /// Whose it is.
    pub account: String,
    /// The number it goes by.
    pub endpoint: i64,
    /// The topics it subscribes to.
    pub topics: Option<String>,
}

impl SubscriberRow {
    /// Whether it subscribes to a topic. A topic that only a newer version knows is ignored: it
    /// must not keep a payment from being settled.
    pub fn subscribes_to(&self, topic: Topic) -> bool {
        match &self.topics {
            None => true,
            Some(words) => words.split(' ').any(|word| word == topic.code()),
        }
    }
}

pub(super) fn endpoint_id(stored: i64) -> Result<EndpointId, RecordError> {
    let number = u64::try_from(stored).unwrap_or_default();
    EndpointId::new(number).ok_or(RecordError::Value("endpoint"))
}

/// Reads the number of an endpoint, as [`endpoint_key`](super::endpoint_key) stores it.
///
/// # Errors
/// Where no endpoint has it.
pub fn endpoint_of_key(stored: i64) -> Result<EndpointId, PortError> {
    endpoint_id(stored)
        .map_err(|error| PortError::caused(PART, "read the number of an endpoint", error))
}

/// The topics of an endpoint, as they are stored.
pub fn topics(topics: &Topics) -> Option<String> {
    match topics {
        Topics::All => None,
        Topics::Only(some) => {
            let words: Vec<_> = some.iter().map(|topic| topic.code()).collect();
            Some(words.join(" "))
        }
    }
}

/// A topic that only a newer version knows is ignored.
fn read_topics(stored: Option<&str>) -> Topics {
    match stored {
        None => Topics::All,
        Some(words) => Topics::Only(words.split(' ').filter_map(Topic::from_code).collect()),
    }
}

/// How an endpoint does, as its columns of the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HealthColumns {
    /// Since when every attempt failed, in milliseconds.
    pub failing_since: Option<i64>,
    /// Since when it is served no longer, in milliseconds.
    pub disabled_at: Option<i64>,
    /// The word of why.
    pub disabled_reason: Option<&'static str>,
}

impl HealthColumns {
    /// The columns of an endpoint's health.
    pub fn of(health: EndpointHealth) -> Self {
        let (disabled_at, disabled_reason) = match health.state {
            EndpointState::Enabled => (None, None),
            EndpointState::Disabled { because, at } => (Some(at.as_millis()), Some(because.code())),
        };
        Self {
            failing_since: health.failing_since.map(Timestamp::as_millis),
            disabled_at,
            disabled_reason,
        }
    }
}

/// The health of an endpoint as stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HealthRow {
    /// Since when every attempt failed, in milliseconds.
    pub failing_since: Option<i64>,
    /// Since when it is served no longer, in milliseconds.
    pub disabled_at: Option<i64>,
    /// The word of why.
    pub disabled_reason: Option<String>,
}

impl HealthRow {
    /// The health the row holds, where no more of its endpoint need be readable.
    ///
    /// # Errors
    /// When the row breaks a rule.
    pub fn restore(&self) -> Result<EndpointHealth, PortError> {
        self.read().map_err(|error| {
            PortError::caused(PART, "the health of an endpoint cannot be read", error)
        })
    }

    fn read(&self) -> Result<EndpointHealth, RecordError> {
        Ok(EndpointHealth {
            state: state(self.disabled_at, self.disabled_reason.as_deref())?,
            failing_since: self.failing_since.map(Timestamp::from_millis),
        })
    }
}

fn state(at: Option<i64>, because: Option<&str>) -> Result<EndpointState, RecordError> {
    match (at, because) {
        (None, None) => Ok(EndpointState::Enabled),
        (Some(at), Some(word)) => Ok(EndpointState::Disabled {
            because: DisabledBecause::from_code(word)
                .ok_or(RecordError::Value("disabled_reason"))?,
            at: Timestamp::from_millis(at),
        }),
        (None, Some(_)) | (Some(_), None) => Err(RecordError::Value("disabled_at")),
    }
}
