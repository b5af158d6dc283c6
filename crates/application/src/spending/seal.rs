//! Seals of limits. A limit that is not as a gateway wrote it must never count as one that allows
//! more.

use crate::access::{SealMessage, is_sealed};
use crate::pepper::Pepper;
use domain::account::AccountId;
use domain::money::Money;
use domain::spending::SpendingLimit;
use ports::access_keys::RowSeal;
use ports::spending_limits::StoredLimit;

/// The purpose of the key that seals are made with.
const LIMIT: &str = "manilla spending-limit seal v1";

/// The seal of a version of a limit.
pub fn seal_limit(pepper: &Pepper, limit: &SpendingLimit) -> RowSeal {
    let terms = &limit.terms;
    let message = SealMessage::default()
        .with(limit.account.as_str().as_bytes())
        .with(limit.services.code().as_bytes())
        .number(limit.version.into())
        .with(limit.currency.code().as_bytes())
        .optional(terms.per_transaction.map(Money::minor))
        .optional(terms.per_day.map(Money::minor))
        .optional(terms.approval_above.map(Money::minor))
        .number(limit.created_at.as_millis())
        .number(limit.made_by.0);
    RowSeal(message.authenticated(pepper, LIMIT))
}

/// A limit as it is stored, marked as one that cannot be read where it was altered.
pub(crate) fn with_seal_checked(pepper: &Pepper, stored: StoredLimit) -> StoredLimit {
    let StoredLimit::Sealed(sealed) = stored else {
        return stored;
    };
    let limit = &sealed.limit;
    if is_sealed(pepper, sealed.seal, |it| seal_limit(it, limit)) {
        return StoredLimit::Sealed(sealed);
    }
    let (version, account, services) = (limit.version, &limit.account, limit.services.code());
    StoredLimit::Unreadable(format!(
        "version {version} of the limit of {account} on {services} is not as a gateway wrote it"
    ))
}

/// Limits of an account, each that was altered or moved marked as one that cannot be read.
pub(crate) fn verified_limits(
    pepper: &Pepper,
    account: &AccountId,
    stored: Vec<StoredLimit>,
) -> Vec<StoredLimit> {
    let checked = stored.into_iter().map(|stored| {
        let why = match with_seal_checked(pepper, stored) {
            StoredLimit::Sealed(sealed) if sealed.limit.account == *account => {
                return StoredLimit::Sealed(sealed);
            }
            StoredLimit::Sealed(_) => "a limit belongs to another account".to_owned(),
            StoredLimit::Unreadable(why) => why,
        };
        tracing::error!(%account, why, "a limit was altered, so nothing is spent; run the audit");
        StoredLimit::Unreadable(why)
    });
    checked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::credential::KeyId;
    use domain::money::Currency;
    use domain::spending::LimitedServices;
    use testkit::builders::{account_id, spending_limit};

    const PEPPER: Pepper = Pepper::new([9; 32]);

    fn is_read(change: impl FnOnce(&mut SpendingLimit)) -> bool {
        let mut sealed = spending_limit("shop", 1);
        sealed.seal = seal_limit(&PEPPER, &sealed.limit);
        change(&mut sealed.limit);
        let stored = vec![StoredLimit::Sealed(sealed)];
        let read = verified_limits(&PEPPER, &account_id("shop"), stored);
        matches!(read[0], StoredLimit::Sealed(_))
    }

    #[test]
    fn a_limit_is_read_as_it_was_set_and_in_no_other_way() {
        assert!(is_read(|_| {}));
        let more = Some(Money::from_minor(9_999, Currency::Ngn));
        let changes: [fn(&mut SpendingLimit, Option<Money>); 9] = [
            |it, _| it.account = account_id("other"),
            |it, _| it.services = LimitedServices::One(domain::family::Service::Card),
            |it, _| it.version = 2,
            |it, _| it.currency = Currency::Crd,
            |it, more| it.terms.per_transaction = more,
            |it, _| it.terms.per_day = None,
            |it, more| it.terms.approval_above = more,
            |it, _| it.made_by = KeyId(77),
            |it, _| it.created_at = testkit::builders::at(77),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            assert!(!is_read(|limit| change(limit, more)), "change {nth}");
        }
    }

    #[test]
    fn a_limit_of_another_account_is_not_read() {
        let mut sealed = spending_limit("shop", 1);
        sealed.seal = seal_limit(&PEPPER, &sealed.limit);
        let stored = vec![StoredLimit::Sealed(sealed)];
        let read = verified_limits(&PEPPER, &account_id("other"), stored);
        assert!(matches!(read[0], StoredLimit::Unreadable(_)));
    }
}
