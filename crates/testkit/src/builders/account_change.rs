//! Changes of accounts, in few words. Their seals are no right ones.

use super::{account_id, at};
use domain::account_change::{AccountChange, ChainHash, ChangeAction, ChangeActor, RecordedChange};
use domain::credential::KeyId;
use ports::access_keys::RowSeal;
use ports::account_changes::{ChainedChange, SealedChange};

/// A change that an account called `account` made with its first key.
pub fn noted_change(account: &str) -> SealedChange {
    SealedChange {
        change: AccountChange {
            account: account_id(account),
            actor: ChangeActor::Key(KeyId(1)),
            action: ChangeAction::Frozen,
            target: "service bank".to_owned(),
            before: Some("state: Active".to_owned()),
            after: Some("state: Frozen; reason: The laptop was stolen.".to_owned()),
            address: Some("203.0.113.7".parse().expect("an address")),
            request_id: Some("5c1d8f1b9e4a7c30d2b6f4a8".to_owned()),
            at: at(60),
        },
        seal: RowSeal([9; 32]),
    }
}

/// The same as the first change that is shown of the account.
pub fn recorded_change(account: &str) -> RecordedChange {
    let chained = ChainedChange::after((0, ChainHash::NONE), noted_change(account));
    RecordedChange {
        number: chained.number,
        change: chained.sealed.change,
        previous: chained.previous,
        hash: chained.hash,
        is_verified: true,
    }
}
