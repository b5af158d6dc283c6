//! The terms of a key: its scopes, its networks, its end and whether requests are signed. Terms
//! must narrow from key to key.

use super::network::AllowedNetworks;
use super::scope::ScopeSet;
use crate::time::Timestamp;

/// What a key allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessTerms {
    /// Which kinds of requests.
    pub scopes: ScopeSet,
    /// From where.
    pub networks: AllowedNetworks,
    /// Until when; without it, until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// Whether each request is signed.
    pub signing: RequestSigning,
}

/// Whether the requests that come with a key are signed (RFC 9421).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RequestSigning {
    /// None is.
    #[default]
    Unsigned,
    /// Each is, with the signing secret of the key.
    Required,
}

/// How terms go beyond those of the key that they are made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermsBreach {
    /// They allow requests that it does not.
    Scopes,
    /// They allow addresses that it does not.
    Networks,
    /// They last longer.
    Expiry,
    /// They allow requests that are not signed.
    Signing,
}

impl AccessTerms {
    /// The terms of the operator's keys: everything, from everywhere, until they are revoked.
    pub const UNLIMITED: Self = Self {
        scopes: ScopeSet::EVERYTHING,
        networks: AllowedNetworks::Everywhere,
        expires_at: None,
        signing: RequestSigning::Unsigned,
    };

    /// Whether they are over.
    pub fn are_over(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Every way in which they go beyond others.
    pub fn breaches(&self, others: &Self) -> Vec<TermsBreach> {
        let lasts_longer = match (self.expires_at, others.expires_at) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(end), Some(latest)) => end > latest,
        };
        let checks = [
            (
                self.scopes.beyond(others.scopes).next().is_some(),
                TermsBreach::Scopes,
            ),
            (
                !self.networks.are_within(&others.networks),
                TermsBreach::Networks,
            ),
            (lasts_longer, TermsBreach::Expiry),
            (
                !self.signing.is_within(others.signing),
                TermsBreach::Signing,
            ),
        ];
        let broken = checks.into_iter().filter(|(is_broken, _)| *is_broken);
        broken.map(|(_, breach)| breach).collect()
    }
}

impl RequestSigning {
    /// Whether it allows no request that another does not.
    fn is_within(self, other: Self) -> bool {
        match (self, other) {
            (Self::Required, _) | (Self::Unsigned, Self::Unsigned) => true,
            (Self::Unsigned, Self::Required) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{AccessScope, IpNetwork};
    use proptest::prelude::*;

    fn terms() -> impl Strategy<Value = AccessTerms> {
        let scopes = proptest::sample::subsequence(AccessScope::ALL.to_vec(), 0..=5);
        let ends = proptest::option::of(0_i64..4);
        let networks = ["10.0.0.0/8", "10.1.0.0/16", "2001:db8::/32"];
        let networks = proptest::sample::subsequence(networks.to_vec(), 0..=3);
        let networks = proptest::option::of(networks);
        let signing = [RequestSigning::Unsigned, RequestSigning::Required];
        let signing = proptest::sample::select(signing.to_vec());
        let all = (scopes, ends, networks, signing);
        all.prop_map(|(scopes, end, networks, signing)| AccessTerms {
            scopes: ScopeSet::of(scopes),
            networks: networks.map_or(AllowedNetworks::Everywhere, |texts| {
                let networks = texts
                    .into_iter()
                    .map(|text| IpNetwork::parse(text).unwrap());
                AllowedNetworks::only(networks)
            }),
            expires_at: end.map(Timestamp::from_millis),
            signing,
        })
    }

    #[test]
    fn every_breach_is_named() {
        let narrow = AccessTerms {
            scopes: ScopeSet::of([AccessScope::Read]),
            networks: AllowedNetworks::only([IpNetwork::parse("10.0.0.0/8").unwrap()]),
            expires_at: Some(Timestamp::from_millis(5)),
            signing: RequestSigning::Required,
        };
        let all = [
            TermsBreach::Scopes,
            TermsBreach::Networks,
            TermsBreach::Expiry,
            TermsBreach::Signing,
        ];
        assert_eq!(AccessTerms::UNLIMITED.breaches(&narrow), all);
        assert_eq!(narrow.breaches(&AccessTerms::UNLIMITED), []);
        assert!(!narrow.are_over(Timestamp::from_millis(4)));
        assert!(narrow.are_over(Timestamp::from_millis(5)));
    }

    proptest! {
        /// A chain of keys never allows more than its first.
        #[test]
        fn terms_narrow_from_key_to_key(one in terms(), two in terms(), three in terms()) {
            prop_assert_eq!(one.breaches(&one), vec![]);
            if two.breaches(&one).is_empty() && three.breaches(&two).is_empty() {
                prop_assert_eq!(three.breaches(&one), vec![]);
            }
        }

        #[test]
        fn terms_without_a_breach_are_over_no_later(
            one in terms(), two in terms(), now in 0_i64..5,
        ) {
            let now = Timestamp::from_millis(now);
            if two.breaches(&one).is_empty() && one.are_over(now) {
                prop_assert!(two.are_over(now));
            }
        }
    }
}
