//! Seals of freezes. Where one was altered nothing may be paid: it may have been of the whole
//! account.

use crate::access::{SealMessage, is_sealed};
use crate::pepper::Pepper;
use domain::account::AccountId;
use domain::freeze::{Freeze, FreezeMaker, FreezeTarget};
use ports::access_keys::RowSeal;
use ports::freezes::StoredFreeze;

/// The purpose of the key that seals are made with.
const FREEZE: &str = "manilla freeze seal v1";

/// What stands in the place of a key's eight bytes where an operator set it; it must not be eight.
const BY_OPERATOR: &[u8] = b"by an operator";

/// The seal of a version of a freeze.
pub fn seal_freeze(pepper: &Pepper, freeze: &Freeze) -> RowSeal {
    let message = SealMessage::default()
        .with(freeze.account.as_str().as_bytes())
        .with(freeze.target.scope().code().as_bytes());
    let message = match freeze.target {
        FreezeTarget::Account => message.with(&[]),
        FreezeTarget::Key(key) => message.number(key.0),
        FreezeTarget::Service(service) => message.with(service.code().as_bytes()),
    };
    let message = message
        .number(freeze.version.into())
        .with(freeze.state.code().as_bytes())
        .with(freeze.reason.as_str().as_bytes())
        .number(freeze.created_at.as_millis());
    let message = match freeze.made_by {
        FreezeMaker::Key(key) => message.number(key.0),
        FreezeMaker::Operator => message.with(BY_OPERATOR),
    };
    RowSeal(message.authenticated(pepper, FREEZE))
}

/// A freeze as it is stored, marked as one that cannot be read where it was altered.
pub(crate) fn freeze_with_seal_checked(pepper: &Pepper, stored: StoredFreeze) -> StoredFreeze {
    let StoredFreeze::Sealed(sealed) = stored else {
        return stored;
    };
    let freeze = &sealed.freeze;
    if is_sealed(pepper, sealed.seal, |it| seal_freeze(it, freeze)) {
        return StoredFreeze::Sealed(sealed);
    }
    let why = format!(
        "version {} of the freeze of {} on {} is not as a gateway wrote it",
        freeze.version,
        freeze.account,
        freeze.target.scope().code()
    );
    let key = match freeze.target {
        FreezeTarget::Key(key) => Some(key),
        FreezeTarget::Account | FreezeTarget::Service(_) => None,
    };
    StoredFreeze::Unreadable { key, why }
}

/// Freezes of an account, each that was altered or moved marked as one that cannot be read.
pub(crate) fn verified_freezes(
    pepper: &Pepper,
    account: &AccountId,
    stored: Vec<StoredFreeze>,
) -> Vec<StoredFreeze> {
    let checked = stored.into_iter().map(|stored| {
        let (key, why) = match freeze_with_seal_checked(pepper, stored) {
            StoredFreeze::Sealed(sealed) if sealed.freeze.account == *account => {
                return StoredFreeze::Sealed(sealed);
            }
            StoredFreeze::Sealed(_) => (None, "a freeze belongs to another account".to_owned()),
            StoredFreeze::Unreadable { key, why } => (key, why),
        };
        tracing::error!(%account, why, "a freeze was altered, so nothing is paid; run the audit");
        StoredFreeze::Unreadable { key, why }
    });
    checked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::credential::KeyId;
    use domain::family::Service;
    use domain::freeze::{FreezeReason, FreezeState};
    use testkit::builders::{account_id, freeze};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    fn is_read(change: impl FnOnce(&mut Freeze)) -> bool {
        let mut sealed = freeze("shop", FreezeTarget::Account, 1);
        sealed.seal = seal_freeze(&PEPPER, &sealed.freeze);
        change(&mut sealed.freeze);
        let stored = vec![StoredFreeze::Sealed(sealed)];
        let read = verified_freezes(&PEPPER, &account_id("shop"), stored);
        matches!(read[0], StoredFreeze::Sealed(_))
    }

    #[test]
    fn a_freeze_is_read_as_it_was_set_and_in_no_other_way() {
        assert!(is_read(|_| {}));
        let changes: [fn(&mut Freeze); 9] = [
            |it| it.account = account_id("other"),
            |it| it.target = FreezeTarget::Service(Service::Card),
            |it| it.target = FreezeTarget::Key(KeyId(0)),
            |it| it.version = 2,
            |it| it.state = FreezeState::Active,
            |it| it.reason = FreezeReason::parse("another").unwrap(),
            |it| it.made_by = FreezeMaker::Key(KeyId(77)),
            |it| it.made_by = FreezeMaker::Operator,
            |it| it.created_at = testkit::builders::at(77),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            assert!(!is_read(change), "change {nth}");
        }
        let mut sealed = freeze("shop", FreezeTarget::Account, 1);
        sealed.seal = seal_freeze(&PEPPER, &sealed.freeze);
        let stored = vec![StoredFreeze::Sealed(sealed)];
        let read = verified_freezes(&PEPPER, &account_id("other"), stored);
        assert!(matches!(read[0], StoredFreeze::Unreadable { .. }));
    }
}
