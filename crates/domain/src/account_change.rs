//! Changes of what an account may do: its keys, users, limits, freezes, allowlists and webhook
//! endpoints. Each is recorded by the commit that makes it, and never with a secret.

use crate::access::AccountUserId;
use crate::account::AccountId;
use crate::credential::KeyId;
use crate::statement::Sort;
use crate::time::Timestamp;
use std::fmt;
use std::net::IpAddr;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeAction {
    /// A key was made.
    KeyMade,
    /// A key takes the place of another.
    KeyRotated,
    /// A key was revoked.
    KeyRevoked,
    /// A person was invited.
    UserInvited,
    /// A user gave the code of the invitation.
    UserActivated,
    /// A wrong code was given for a user.
    UserCodeRefused,
    /// A user was disabled.
    UserDisabled,
    /// A limit was set on what is spent.
    LimitSet,
    /// The account, a key or a service was frozen.
    Frozen,
    /// What was frozen goes on.
    Unfrozen,
    /// A network was added that a key may be used from.
    NetworkAllowed,
    /// A network of a key was removed.
    NetworkRemoved,
    /// A webhook endpoint was registered.
    WebhookRegistered,
    /// A webhook endpoint got its next secret.
    WebhookSecretRotated,
    /// A webhook endpoint is served no longer.
    WebhookDisabled,
    /// A webhook endpoint is served again.
    WebhookEnabled,
    /// A webhook endpoint was removed.
    WebhookRemoved,
}

impl ChangeAction {
    /// Each.
    pub const ALL: [Self; 17] = [
        Self::KeyMade,
        Self::KeyRotated,
        Self::KeyRevoked,
        Self::UserInvited,
        Self::UserActivated,
        Self::UserCodeRefused,
        Self::UserDisabled,
        Self::LimitSet,
        Self::Frozen,
        Self::Unfrozen,
        Self::NetworkAllowed,
        Self::NetworkRemoved,
        Self::WebhookRegistered,
        Self::WebhookSecretRotated,
        Self::WebhookDisabled,
        Self::WebhookEnabled,
        Self::WebhookRemoved,
    ];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::KeyMade => "key.made",
            Self::KeyRotated => "key.rotated",
            Self::KeyRevoked => "key.revoked",
            Self::UserInvited => "user.invited",
            Self::UserActivated => "user.activated",
            Self::UserCodeRefused => "user.code_refused",
            Self::UserDisabled => "user.disabled",
            Self::LimitSet => "limit.set",
            Self::Frozen => "freeze.set",
            Self::Unfrozen => "freeze.lifted",
            Self::NetworkAllowed => "network.allowed",
            Self::NetworkRemoved => "network.removed",
            Self::WebhookRegistered => "webhook.registered",
            Self::WebhookSecretRotated => "webhook.secret_rotated",
            Self::WebhookDisabled => "webhook.disabled",
            Self::WebhookEnabled => "webhook.enabled",
            Self::WebhookRemoved => "webhook.removed",
        }
    }

    /// Reads its word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.code() == code)
    }
}

/// The kinds of who changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActorKind {
    /// A user, with a key of the user's.
    User,
    /// A key that belongs to no user.
    Key,
    /// The gateway itself.
    System,
}

impl ActorKind {
    /// Each.
    pub const ALL: [Self; 3] = [Self::User, Self::Key, Self::System];

    /// Its word.
    pub const fn code(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Key => "key",
            Self::System => "system",
        }
    }

    /// Reads its word.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// Who changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeActor {
    /// A user, with this key.
    User(AccountUserId, KeyId),
    /// A key that belongs to no user.
    Key(KeyId),
    /// The gateway itself.
    System,
}

impl ChangeActor {
    /// Its kind.
    pub const fn kind(self) -> ActorKind {
        match self {
            Self::User(..) => ActorKind::User,
            Self::Key(_) => ActorKind::Key,
            Self::System => ActorKind::System,
        }
    }

    /// The key of the request.
    pub const fn key(self) -> Option<KeyId> {
        match self {
            Self::User(_, key) | Self::Key(key) => Some(key),
            Self::System => None,
        }
    }

    /// The user of the request.
    pub const fn user(self) -> Option<AccountUserId> {
        match self {
            Self::User(user, _) => Some(user),
            Self::Key(_) | Self::System => None,
        }
    }
}

/// A change of what an account may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChange {
    /// Whose it is.
    pub account: AccountId,
    /// Who made it.
    pub actor: ChangeActor,
    /// What was done.
    pub action: ChangeAction,
    /// What it was done to: a word and, where there are several, which.
    pub target: String,
    /// What it was before, in words; none where there was nothing.
    pub before: Option<String>,
    /// What it is now, likewise.
    pub after: Option<String>,
    /// Where the request came from.
    pub address: Option<IpAddr>,
    /// By what the request is found in the log.
    pub request_id: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The hash of a recorded change.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; 32]);

impl ChainHash {
    /// What the first change of an account names as the one before it.
    pub const NONE: Self = Self([0; 32]);
}

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A change as its account sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedChange {
    /// Its place among those of the account, from 1.
    pub number: u64,
    /// The change.
    pub change: AccountChange,
    /// The hash of the one before it.
    pub previous: ChainHash,
    /// Its hash.
    pub hash: ChainHash,
    /// Whether it is as a gateway wrote it, after the one before it.
    pub is_verified: bool,
}

/// Which changes of an account are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountChangesQuery {
    /// From this moment on.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub before: Option<Timestamp>,
    /// Only of this kind.
    pub action: Option<ChangeAction>,
    /// How many are skipped.
    pub offset: u64,
    /// Most that are answered.
    pub length: u32,
    /// By their number.
    pub sort: Sort,
}

impl AccountChangesQuery {
    /// Whether a change is asked for.
    pub fn wants(&self, change: &AccountChange) -> bool {
        self.from.is_none_or(|from| change.at >= from)
            && self.before.is_none_or(|before| change.at < before)
            && self.action.is_none_or(|action| change.action == action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        for action in ChangeAction::ALL {
            assert_eq!(ChangeAction::from_code(action.code()), Some(action));
        }
        for kind in ActorKind::ALL {
            assert_eq!(ActorKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(ChangeAction::from_code("key.read"), None);
    }
}
