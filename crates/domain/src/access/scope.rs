//! Scopes: what a key allows. A scope must never imply another one.

use std::fmt;

/// One kind of request that a key may be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessScope {
    /// Reading what is stored: transactions, balances, lists, reports.
    Read,
    /// Asking a biller, a bank or an operator about a customer.
    Lookup,
    /// Moving money, and changing whom money goes to.
    Pay,
    /// Changing settings that move no money, such as webhook endpoints.
    Manage,
    /// Making and revoking keys, and inviting and disabling users.
    Admin,
}

impl AccessScope {
    /// Every scope, in the order they are shown.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Lookup,
        Self::Pay,
        Self::Manage,
        Self::Admin,
    ];

    /// The word of the interface.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Lookup => "lookup",
            Self::Pay => "pay",
            Self::Manage => "manage",
            Self::Admin => "admin",
        }
    }

    /// The scope of a word, in whatever case.
    pub fn from_code(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|scope| scope.code().eq_ignore_ascii_case(word))
    }

    const fn bit(self) -> u8 {
        match self {
            Self::Read => 1,
            Self::Lookup => 1 << 1,
            Self::Pay => 1 << 2,
            Self::Manage => 1 << 3,
            Self::Admin => 1 << 4,
        }
    }
}

/// Some scopes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ScopeSet(u8);

impl ScopeSet {
    /// Every scope there is: what keys of the operator allow.
    pub const EVERYTHING: Self = Self(0b1_1111);

    /// These scopes.
    pub fn of(scopes: impl IntoIterator<Item = AccessScope>) -> Self {
        let bits = scopes.into_iter().map(AccessScope::bit);
        Self(bits.fold(0, |set, bit| set | bit))
    }

    /// Whether a scope is among them.
    pub const fn has(self, scope: AccessScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes that are not among others, in the order they are shown.
    pub fn beyond(self, others: Self) -> impl Iterator<Item = AccessScope> {
        self.iter().filter(move |scope| !others.has(*scope))
    }

    /// The scopes, in the order they are shown.
    pub fn iter(self) -> impl Iterator<Item = AccessScope> {
        let all = AccessScope::ALL.into_iter();
        all.filter(move |scope| self.has(*scope))
    }

    /// Reads the words of scopes with commas in between, as [`fmt::Display`] writes them.
    pub fn parse(text: &str) -> Option<Self> {
        let words = text.split(',').map(str::trim);
        let scopes: Option<Vec<_>> = words.map(AccessScope::from_code).collect();
        scopes.map(Self::of)
    }
}

/// The words with commas in between.
impl fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for scope in self.iter() {
            write!(f, "{comma}{}", scope.code())?;
            comma = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScopeSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn everything_is_all_there_is() {
        assert_eq!(ScopeSet::of(AccessScope::ALL), ScopeSet::EVERYTHING);
        let shown = ScopeSet::EVERYTHING.to_string();
        assert_eq!(shown, "read,lookup,pay,manage,admin");
        assert!(ScopeSet::default().is_empty());
        assert_eq!(ScopeSet::parse(""), None);
        assert_eq!(ScopeSet::parse("read,"), None);
        assert_eq!(ScopeSet::parse("read,root"), None);
    }

    proptest! {
        #[test]
        fn sets_read_back_and_keep_what_they_were_made_of(bits in 1_u8..32) {
            let set = ScopeSet(bits);
            prop_assert_eq!(ScopeSet::parse(&set.to_string()), Some(set));
            prop_assert_eq!(ScopeSet::of(set.iter()), set);
        }

        #[test]
        fn what_is_beyond_others_is_in_the_one_and_not_in_the_other(
            one in 0_u8..32, other in 0_u8..32,
        ) {
            let (one, other) = (ScopeSet(one), ScopeSet(other));
            let beyond = ScopeSet::of(one.beyond(other));
            for scope in AccessScope::ALL {
                prop_assert_eq!(beyond.has(scope), one.has(scope) && !other.has(scope));
            }
        }
    }
}
