//! Keys that merchants make and users, in few words. Their seals are no right ones.

use super::{account_id, at};
use domain::access::{
    AccessKey, AccessKeyName, AccessScope, AccessTerms, AccountUser, AccountUserId,
    AllowedNetworks, AllowlistEntry, AllowlistEntryId, AllowlistNote, IpNetwork, KeyAllowlist,
    RequestSigning, ScopeSet, UserName, UserRole, UserStep, UserStepKind,
};
use domain::account::EmailAddress;
use domain::credential::{KeyHash, KeyId};
use domain::freeze::{Freeze, FreezeMaker, FreezeReason, FreezeState, FreezeTarget};
use domain::money::{Currency, Money};
use domain::reference::TransactionNumber;
use domain::spending::{LimitedServices, SpendingLimit, SpendingTerms};
use ports::access_keys::{RowSeal, SealedAccessKey};
use ports::account_users::{SealedStep, SealedUser};
use ports::allowlists::SealedAllowlist;
use ports::freezes::SealedFreeze;
use ports::spending_limits::SealedLimit;

/// A key named `name` that an account called `account` made, of a number below 10,000: it may read
/// and pay from one network, and does not expire.
pub fn access_key(account: &str, number: u16, name: &str) -> SealedAccessKey {
    let [high, low] = number.to_be_bytes();
    let network = IpNetwork::parse("203.0.113.0/24").expect("a network");
    SealedAccessKey {
        key: AccessKey {
            account: account_id(account),
            id: KeyId(number.into()),
            name: AccessKeyName::parse(name).expect("a name"),
            hint: format!("mk_test_{number:04}"),
            hash: KeyHash([low; 32]),
            terms: AccessTerms {
                scopes: ScopeSet::of([AccessScope::Read, AccessScope::Pay]),
                networks: AllowedNetworks::only([network]),
                expires_at: None,
                signing: RequestSigning::Unsigned,
            },
            user: None,
            created_at: at(0),
            made_by: KeyId(1),
        },
        seal: RowSeal([high.wrapping_add(low); 32]),
    }
}

/// The user of a number, as an account called `account` invited it; its address follows from the
/// number.
pub fn account_user(account: &str, number: u64) -> SealedUser {
    let email = format!("person{number}@shop.example");
    SealedUser {
        user: AccountUser {
            account: account_id(account),
            id: account_user_id(number),
            email: EmailAddress::parse(&email).expect("an address"),
            name: UserName::parse("Adé O’Neill").expect("a name"),
            role: UserRole::Finance,
            code: KeyHash([3; 32]),
            created_at: at(0),
            made_by: KeyId(1),
        },
        seal: RowSeal([4; 32]),
        steps: vec![],
    }
}

/// The number of a user.
pub fn account_user_id(number: u64) -> AccountUserId {
    AccountUserId::new(TransactionNumber::try_new(number).expect("a number"))
}

/// A step of a user.
pub fn user_step(number: u32, kind: UserStepKind) -> SealedStep {
    SealedStep {
        step: UserStep {
            number,
            kind,
            at: at(60),
        },
        seal: RowSeal([5; 32]),
    }
}

/// The first version of a limit of an account on every service: 500.00 for a payment, 900.00 in a
/// day, 100.00 without an approval.
pub fn spending_limit(account: &str, version: u32) -> SealedLimit {
    let naira = |minor| Some(Money::from_minor(minor, Currency::Ngn));
    SealedLimit {
        limit: SpendingLimit {
            account: account_id(account),
            services: LimitedServices::All,
            version,
            currency: Currency::Ngn,
            terms: SpendingTerms {
                per_transaction: naira(50_000),
                per_day: naira(90_000),
                approval_above: naira(10_000),
            },
            created_at: at(version.into()),
            made_by: KeyId(1),
        },
        seal: RowSeal([7; 32]),
    }
}

/// A version of a freeze of an account: frozen in odd versions, lifted in even ones.
pub fn freeze(account: &str, target: FreezeTarget, version: u32) -> SealedFreeze {
    SealedFreeze {
        freeze: Freeze {
            account: account_id(account),
            target,
            version,
            state: if version % 2 == 1 {
                FreezeState::Frozen
            } else {
                FreezeState::Active
            },
            reason: FreezeReason::parse("The laptop was stolen.").unwrap(),
            created_at: at(version.into()),
            made_by: FreezeMaker::Key(KeyId(1)),
        },
        seal: RowSeal([6; 32]),
    }
}

/// The same, set by an operator.
pub fn operator_freeze(account: &str, target: FreezeTarget, version: u32) -> SealedFreeze {
    let mut sealed = freeze(account, target, version);
    sealed.freeze.made_by = FreezeMaker::Operator;
    sealed
}

/// A version of the allowlist of a key: as many networks as its number says, each with a note but
/// the first.
pub fn allowlist(account: &str, key: i64, version: u32) -> SealedAllowlist {
    let entry = |nth: u32| AllowlistEntry {
        id: AllowlistEntryId(i64::from(nth) << 32 | key),
        network: IpNetwork::parse(&format!("198.51.100.{nth}")).expect("a network"),
        note: (nth > 1).then(|| AllowlistNote::parse("Office").expect("a note")),
        created_at: at(nth.into()),
        made_by: KeyId(1),
    };
    SealedAllowlist {
        list: KeyAllowlist {
            account: account_id(account),
            key: KeyId(key),
            version,
            entries: (1..=version.min(5)).map(entry).collect(),
            created_at: at(version.into()),
            made_by: KeyId(1),
        },
        seal: RowSeal([8; 32]),
    }
}
