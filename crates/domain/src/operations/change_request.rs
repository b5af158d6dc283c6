//! Changes that operators ask for over HTTP. A request must change nothing: an operator other than
//! the one who asked grants it by a command, under a key that the server does not have.

use super::maintenance::AnnouncedMaintenance;
use crate::operator::OperatorName;
use crate::provider::ProviderId;
use crate::text::{self, UnfitLine};
use crate::time::Timestamp;

/// Why an operator asks for a change: one line that all operators see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeReason(String);

impl ChangeReason {
    /// Most characters: as of a pause.
    pub const LENGTH_MAX: usize = 200;

    /// Reads a reason; blanks around it are dropped.
    ///
    /// # Errors
    /// Refuses an empty text, one over [`Self::LENGTH_MAX`], line breaks and hidden characters.
    pub fn parse(text: &str) -> Result<Self, UnfitLine> {
        text::line(text, Self::LENGTH_MAX).map(|text| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How a case is to be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseDecision {
    /// What was ordered was delivered.
    Delivered,
    /// It was not.
    Declined,
    /// The difference was made good outside the gateway: paid back, or accepted.
    Reversed,
}

impl CaseDecision {
    /// Every decision.
    pub const ALL: [Self; 3] = [Self::Delivered, Self::Declined, Self::Reversed];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Declined => "declined",
            Self::Reversed => "reversed",
        }
    }
}

/// What is to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestedChange {
    /// A provider is given nothing new.
    Pause(ProviderId),
    /// A paused provider is given orders again.
    Resume(ProviderId),
    /// Something is away for a time.
    Maintenance(AnnouncedMaintenance),
    /// Announced maintenance ends before its time.
    MaintenanceEnd(AnnouncedMaintenance),
    /// A case is decided.
    Resolve(String, CaseDecision),
}

impl RequestedChange {
    /// The words of the actions.
    pub const ACTIONS: [&'static str; 5] = [
        "provider-pause",
        "provider-resume",
        "maintenance",
        "maintenance-end",
        "case-resolve",
    ];

    /// The word of what is done.
    pub const fn action(&self) -> &'static str {
        let [pause, resume, maintenance, end, resolve] = Self::ACTIONS;
        match self {
            Self::Pause(_) => pause,
            Self::Resume(_) => resume,
            Self::Maintenance(_) => maintenance,
            Self::MaintenanceEnd(_) => end,
            Self::Resolve(..) => resolve,
        }
    }

    /// The provider that it is done to, where it is one.
    pub const fn provider(&self) -> Option<&ProviderId> {
        match self {
            Self::Pause(provider) | Self::Resume(provider) => Some(provider),
            Self::Maintenance(time) | Self::MaintenanceEnd(time) => time.scope().provider(),
            Self::Resolve(..) => None,
        }
    }

    /// What it is done to, as it is recorded.
    pub fn subject(&self) -> String {
        match self {
            Self::Pause(provider) | Self::Resume(provider) => provider.to_string(),
            Self::Maintenance(time) | Self::MaintenanceEnd(time) => time.to_string(),
            Self::Resolve(case, decision) => format!("{} {case}", decision.word()),
        }
    }

    /// Reads the two words of a record; `None` where they are none.
    pub fn from_record(action: &str, subject: &str) -> Option<Self> {
        let provider = || ProviderId::parse(subject).ok();
        let time = || AnnouncedMaintenance::from_record(subject);
        match action {
            "provider-pause" => provider().map(Self::Pause),
            "provider-resume" => provider().map(Self::Resume),
            "maintenance" => time().map(Self::Maintenance),
            "maintenance-end" => time().map(Self::MaintenanceEnd),
            "case-resolve" => {
                let (word, case) = subject.split_once(' ')?;
                let mut all = CaseDecision::ALL.into_iter();
                let decision = all.find(|it| it.word() == word)?;
                Some(Self::Resolve(case.to_owned(), decision))
            }
            _ => None,
        }
    }
}

/// A change that an operator asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeRequest {
    /// Its number, from 1 without a gap.
    pub number: u64,
    /// The operator who asks.
    pub by: OperatorName,
    /// When.
    pub at: Timestamp,
    /// What is to change.
    pub change: RequestedChange,
    /// Why.
    pub reason: ChangeReason,
    /// The Ed25519 signature by the operator's key for requests over HTTP.
    pub signature: Vec<u8>,
}

impl ChangeRequest {
    /// How long it may be granted, in milliseconds: a day, so that what was asked for on one shift
    /// is granted on the next, and nothing is granted that is long forgotten.
    pub const OPEN_MILLIS: i64 = 24 * 60 * 60 * 1000;

    /// The moment from which it is granted no more.
    pub const fn expires_at(&self) -> Timestamp {
        Timestamp::from_millis(self.at.as_millis().saturating_add(Self::OPEN_MILLIS))
    }

    /// What is signed: everything but the signature, each part after its length.
    pub fn signed_bytes(&self) -> Vec<u8> {
        let (number, at) = (self.number.to_string(), self.at.as_millis().to_string());
        let subject = self.change.subject();
        let parts = [
            PURPOSE,
            &number,
            &at,
            self.by.as_str(),
            self.change.action(),
            &subject,
            self.reason.as_str(),
        ];
        let mut bytes = Vec::new();
        for part in parts {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        bytes
    }

    /// Whether it asks for the same as another one of the same operator.
    pub fn repeats(&self, other: &Self) -> bool {
        (&self.by, &self.change, &self.reason) == (&other.by, &other.change, &other.reason)
    }
}

/// What keeps a signature here from being one of something else.
const PURPOSE: &str = "manilla change request v1";

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeRequestState {
    /// Another operator must grant it.
    Required,
    /// An operator granted it.
    Granted(OperatorName),
    /// An operator refused it.
    Refused(OperatorName),
    /// It was not granted in time, or the key that signed it is not the operator's any more.
    Expired,
}

impl ChangeRequestState {
    /// The words of the states.
    pub const WORDS: [&'static str; 4] = ["Required", "Granted", "Refused", "Expired"];

    /// The word of the state.
    pub const fn word(&self) -> &'static str {
        let [required, granted, refused, expired] = Self::WORDS;
        match self {
            Self::Required => required,
            Self::Granted(_) => granted,
            Self::Refused(_) => refused,
            Self::Expired => expired,
        }
    }

    /// The operator who granted or refused it.
    pub const fn decided_by(&self) -> Option<&OperatorName> {
        match self {
            Self::Granted(by) | Self::Refused(by) => Some(by),
            Self::Required | Self::Expired => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::maintenance::MaintenanceScope;
    use crate::order::Service;

    fn changes() -> [RequestedChange; 5] {
        let provider = ProviderId::parse("my-shop").unwrap();
        let (from, until) = (Timestamp::from_millis(1_000), Timestamp::from_millis(2_000));
        let scope = MaintenanceScope::Service(Service::Airtime);
        let time = AnnouncedMaintenance::announce(scope, (from, until), from).unwrap();
        [
            RequestedChange::Pause(provider.clone()),
            RequestedChange::Resume(provider),
            RequestedChange::Maintenance(time.clone()),
            RequestedChange::MaintenanceEnd(time),
            RequestedChange::Resolve("review:shop:order 1".to_owned(), CaseDecision::Declined),
        ]
    }

    #[test]
    fn what_is_recorded_reads_back() {
        for (change, action) in changes().into_iter().zip(RequestedChange::ACTIONS) {
            assert_eq!(change.action(), action);
            let read = RequestedChange::from_record(action, &change.subject());
            assert_eq!(read, Some(change));
        }
        for (action, subject) in [
            ("provider-pause", "a b"),
            ("provider-stop", "my-shop"),
            ("case-resolve", "delivered"),
            ("case-resolve", "maybe review:x"),
        ] {
            assert_eq!(RequestedChange::from_record(action, subject), None);
        }
    }

    #[test]
    fn every_part_is_signed() {
        let [pause, resume, ..] = changes();
        let request = ChangeRequest {
            number: 1,
            by: OperatorName::parse("alpha").unwrap(),
            at: Timestamp::from_millis(5),
            change: pause,
            reason: ChangeReason::parse("float is spent").unwrap(),
            signature: Vec::new(),
        };
        let with = |change: &dyn Fn(&mut ChangeRequest)| {
            let mut other = request.clone();
            change(&mut other);
            other.signed_bytes()
        };
        let others = [
            with(&|it| it.number = 2),
            with(&|it| it.by = OperatorName::parse("beta").unwrap()),
            with(&|it| it.at = Timestamp::from_millis(6)),
            with(&|it| it.change = resume.clone()),
            with(&|it| it.reason = ChangeReason::parse("contract ends").unwrap()),
        ];
        for other in others {
            assert_ne!(other, request.signed_bytes());
        }
        assert_eq!(with(&|it| it.signature = vec![1]), request.signed_bytes());
    }
}
