//! What is recorded of a change. The seal must cover everything that it says.

use crate::access::{SealMessage, is_sealed};
use crate::gateway::{ClientRequest, Gateway, Merchant};
use crate::pepper::Pepper;
use domain::account::AccountId;
use domain::account_change::{AccountChange, ChangeAction, ChangeActor};
use domain::credential::KeyId;
use domain::time::Timestamp;
use ports::access_keys::RowSeal;
use ports::account_changes::SealedChange;
use std::fmt::Display;

/// The purpose of the key that seals are made with.
const CHANGE: &str = "manilla account-change seal v1";

/// What a change says beside who made it.
#[derive(Debug)]
pub(crate) struct ChangeNote {
    /// What is done.
    pub(crate) action: ChangeAction,
    /// What it is done to.
    pub(crate) target: String,
    /// What it is before, in words; none where there is nothing.
    pub(crate) before: Option<Described>,
    /// What it is after it, likewise.
    pub(crate) after: Option<Described>,
}

impl ChangeNote {
    /// What is done to something, without what it is before and after.
    pub(crate) const fn new(action: ChangeAction, target: String) -> Self {
        Self {
            action,
            target,
            before: None,
            after: None,
        }
    }

    /// What is done to a key.
    pub(crate) fn of_key(action: ChangeAction, key: KeyId) -> Self {
        Self::new(action, format!("key {key}"))
    }

    /// With what it is before.
    pub(crate) fn from(self, before: Option<Described>) -> Self {
        Self { before, ..self }
    }

    /// With what it is after it.
    pub(crate) fn to(self, after: Described) -> Self {
        Self {
            after: Some(after),
            ..self
        }
    }
}

/// What something is, in words: names and values, `state: Frozen; reason: lost`.
#[derive(Debug, Default)]
pub(crate) struct Described(String);

impl Described {
    /// One name with its value.
    pub(crate) fn of(name: &str, value: impl Display) -> Self {
        Self::default().with(name, value)
    }

    /// With one more.
    pub(crate) fn with(self, name: &str, value: impl Display) -> Self {
        let separator = if self.0.is_empty() { "" } else { "; " };
        Self(format!("{}{separator}{name}: {value}", self.0))
    }

    /// With everything of another.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.0.push_str("; ");
        self.0.push_str(&other.0);
        self
    }

    /// With one more, where there is one.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl Gateway {
    /// The record of a change that a merchant makes.
    pub(crate) fn noted(&self, merchant: &Merchant, note: ChangeNote) -> SealedChange {
        let key = merchant.grant.key;
        let actor = match merchant.grant.user {
            Some(user) => ChangeActor::User(user, key),
            None => ChangeActor::Key(key),
        };
        self.sealed_change(
            (&merchant.account.id, actor),
            merchant.request.as_ref(),
            note,
        )
    }

    /// The record of a key that the operator revokes.
    pub fn noted_revocation(&self, account: &AccountId, key: KeyId) -> SealedChange {
        let note = ChangeNote::of_key(ChangeAction::KeyRevoked, key);
        self.noted_by_operator(account, note)
    }

    /// The record of a change that an operator makes, whose name is in the log of operators alone.
    pub(crate) fn noted_by_operator(&self, account: &AccountId, note: ChangeNote) -> SealedChange {
        self.sealed_change((account, ChangeActor::System), None, note)
    }

    fn sealed_change(
        &self,
        (account, actor): (&AccountId, ChangeActor),
        request: Option<&ClientRequest>,
        note: ChangeNote,
    ) -> SealedChange {
        let words = |it: Option<Described>| it.map(|described| described.0);
        let change = AccountChange {
            account: account.clone(),
            actor,
            action: note.action,
            target: note.target,
            before: words(note.before),
            after: words(note.after),
            address: request.map(|request| request.address),
            request_id: request.map(|request| request.id.clone()),
            at: self.now(),
        };
        let seal = seal_change(&self.parts().pepper, &change);
        SealedChange { change, seal }
    }
}

/// The seal of a change.
pub fn seal_change(pepper: &Pepper, change: &AccountChange) -> RowSeal {
    let address = change.address.map(|address| address.to_string());
    let user = change.actor.user().map(|user| user.get().to_be_bytes());
    let message = SealMessage::default()
        .with(change.account.as_str().as_bytes())
        .with(change.actor.kind().code().as_bytes())
        .optional(change.actor.key().map(|key| key.0))
        .with(user.as_ref().map_or(&[], |it| it.as_slice()))
        .with(change.action.code().as_bytes())
        .with(change.target.as_bytes())
        .with(change.before.as_deref().unwrap_or_default().as_bytes())
        .with(change.after.as_deref().unwrap_or_default().as_bytes())
        .with(address.unwrap_or_default().as_bytes())
        .with(change.request_id.as_deref().unwrap_or_default().as_bytes())
        .number(Timestamp::as_millis(change.at));
    RowSeal(message.authenticated(pepper, CHANGE))
}

/// Whether a change is as a gateway wrote it.
pub(super) fn is_change_sealed(pepper: &Pepper, sealed: &SealedChange) -> bool {
    is_sealed(pepper, sealed.seal, |it| seal_change(it, &sealed.change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{account_id, account_user_id, at, noted_change};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    #[test]
    fn a_change_is_read_as_it_was_noted_and_in_no_other_way() {
        let mut sealed = noted_change("shop");
        sealed.seal = seal_change(&PEPPER, &sealed.change);
        assert!(is_change_sealed(&PEPPER, &sealed));
        let changes: [fn(&mut AccountChange); 10] = [
            |it| it.account = account_id("other"),
            |it| it.actor = ChangeActor::Key(KeyId(77)),
            |it| it.actor = ChangeActor::User(account_user_id(7), KeyId(1)),
            |it| it.action = ChangeAction::KeyRevoked,
            |it| it.target = "key 2".to_owned(),
            |it| it.before = None,
            |it| it.after = Some("{}".to_owned()),
            |it| it.address = None,
            |it| it.request_id = Some("2".to_owned()),
            |it| it.at = at(77),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            let mut altered = sealed.clone();
            change(&mut altered.change);
            assert!(!is_change_sealed(&PEPPER, &altered), "change {nth}");
        }
    }
}
