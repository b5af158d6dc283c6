//! What a request may do: scopes, the networks it may come from, the keys that merchants make and
//! the users who hold them. A key must never allow what the key it was made with does not.

mod allowlist;
mod key;
mod network;
mod scope;
mod terms;
mod user;

pub use allowlist::{
    ALLOWLIST_CHANGES_PER_DAY_MAX, AllowlistEntry, AllowlistEntryId, AllowlistNote, KeyAllowlist,
    NewAllowlistEntry,
};
pub use key::{
    ACCESS_KEY_NAMES_MAX, ACCESS_KEYS_PER_DAY_MAX, ACCESS_KEYS_PER_NAME_MAX, AccessKey,
    AccessKeyName, AccountKey, InvalidAccessKeyName, NewAccessKey,
};
pub use network::{AllowedNetworks, InvalidIpNetwork, IpNetwork, NETWORKS_MAX};
pub use scope::{AccessScope, ScopeSet};
pub use terms::{AccessTerms, RequestSigning, TermsBreach};
pub use user::{
    ACTIVATION_ATTEMPTS_MAX, ACTIVATION_WITHIN, AccountUser, AccountUserId, AccountUserState,
    AccountUserStatus, NewAccountUser, USERS_MAX, USERS_PER_DAY_MAX, UserName, UserRole, UserStep,
    UserStepKind,
};
