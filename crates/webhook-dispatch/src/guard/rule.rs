//! The rules an address can break, in a merchant's words. A text must never reveal what a name
//! resolves to on a network that the merchant cannot see.

use domain::webhook::{DeliveryFailure, Target};
use ports::webhooks::RejectedUrl;

/// What is wrong with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AddressRule {
    #[error("must have at most {} characters", Target::LENGTH_MAX)]
    TooLong,
    #[error("must not contain spaces, control characters or backslashes")]
    OddCharacter,
    #[error("must be a whole address such as https://shop.example/events")]
    Malformed,
    #[error("must begin with https://")]
    NotSecure,
    #[error("must begin with https://; http:// is for localhost only")]
    NotSecureHere,
    #[error("must not contain a user name or a password")]
    UserInfo,
    #[error("must not contain a fragment (#)")]
    Fragment,
    #[error("must have a port from 1 to 65535")]
    Port,
    #[error("must name its host in full, such as shop.example")]
    SingleLabel,
    #[error("must not name a host of a local network (.local, .internal, .home.arpa)")]
    LocalName,
    // One rule for an unknown name and for one that leads inside: a merchant who could distinguish
    // them could use the gateway's name servers to explore the operator's network.
    #[error("must name a host that has addresses of the public internet, and no others")]
    Unresolved,
    #[error("must name a host that the servers of the DNS answer for")]
    NotLookedUp,
    #[error("must lead to an address of the public internet, and to no other")]
    NotPublic,
    #[error("must not lead to the gateway itself")]
    Ourselves,
}

impl AddressRule {
    /// What it is where something was to be delivered.
    pub(crate) const fn failure(self) -> DeliveryFailure {
        match self {
            Self::Unresolved | Self::NotLookedUp => DeliveryFailure::Unresolved,
            Self::TooLong
            | Self::OddCharacter
            | Self::Malformed
            | Self::NotSecure
            | Self::NotSecureHere
            | Self::UserInfo
            | Self::Fragment
            | Self::Port
            | Self::SingleLabel
            | Self::LocalName
            | Self::NotPublic
            | Self::Ourselves => DeliveryFailure::Forbidden,
        }
    }
}

impl From<AddressRule> for RejectedUrl {
    fn from(rule: AddressRule) -> Self {
        if rule == AddressRule::NotLookedUp {
            Self::NotLookedUp
        } else {
            Self::Rule(rule.to_string())
        }
    }
}
