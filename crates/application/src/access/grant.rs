//! What the key of a request allows. Every request must be held against it before it is read.

use domain::access::{AccessScope, AccessTerms, AccountUserId, AllowedNetworks};
use domain::credential::KeyId;
use std::net::IpAddr;

/// What a key that opened its account allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyGrant {
    /// The key.
    pub key: KeyId,
    /// What it allows.
    pub terms: AccessTerms,
    /// The user it belongs to.
    pub user: Option<AccountUserId>,
    /// The generation of the pepper that it was made under, where a merchant made it.
    pub made_under: Option<u32>,
    /// Where its account uses it from.
    pub allowlist: AllowedNetworks,
}

/// Why a key does not allow a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// It came from an address that is not in the key's networks.
    #[error("the key may not be used from this address")]
    Network,
    /// It needs a scope that the key does not have.
    #[error("the key lacks the scope {}", .0.code())]
    Scope(AccessScope),
}

impl KeyGrant {
    /// What a key of the operator allows: everything.
    pub const fn unlimited(key: KeyId) -> Self {
        Self {
            key,
            terms: AccessTerms::UNLIMITED,
            user: None,
            made_under: None,
            allowlist: AllowedNetworks::Everywhere,
        }
    }

    /// Whether a request from an address is allowed that needs a scope.
    ///
    /// # Errors
    /// Refuses an address that is not in the networks, and a scope that the key lacks.
    pub fn permit(&self, from: IpAddr, scope: Option<AccessScope>) -> Result<(), Forbidden> {
        if !self.terms.networks.allow(from) || !self.allowlist.allow(from) {
            return Err(Forbidden::Network);
        }
        match scope {
            Some(scope) if !self.terms.scopes.has(scope) => Err(Forbidden::Scope(scope)),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::access::{IpNetwork, ScopeSet};

    #[test]
    fn a_key_allows_its_scopes_from_its_networks() {
        let network = IpNetwork::parse("203.0.113.0/24").unwrap();
        let grant = KeyGrant {
            terms: AccessTerms {
                scopes: ScopeSet::of([AccessScope::Read]),
                networks: AllowedNetworks::only([network]),
                ..AccessTerms::UNLIMITED
            },
            ..KeyGrant::unlimited(KeyId(1))
        };
        let (inside, outside) = ("203.0.113.9", "203.0.114.9");
        let permit = |from: &str, scope| grant.permit(from.parse().unwrap(), scope);
        assert_eq!(permit(inside, Some(AccessScope::Read)), Ok(()));
        assert_eq!(permit(inside, None), Ok(()));
        let lacking = Err(Forbidden::Scope(AccessScope::Pay));
        assert_eq!(permit(inside, Some(AccessScope::Pay)), lacking);
        assert_eq!(permit(outside, None), Err(Forbidden::Network));
        assert_eq!(permit("2001:db8::1", None), Err(Forbidden::Network));
        let other = IpNetwork::parse("203.0.114.0/24").unwrap();
        let listed = KeyGrant {
            allowlist: AllowedNetworks::only([other]),
            ..grant.clone()
        };
        for from in [inside, outside] {
            let refused = listed.permit(from.parse().unwrap(), None);
            assert_eq!(refused, Err(Forbidden::Network), "{from}");
        }
        for scope in AccessScope::ALL {
            let all = KeyGrant::unlimited(KeyId(1));
            assert_eq!(all.permit(outside.parse().unwrap(), Some(scope)), Ok(()));
        }
    }
}
