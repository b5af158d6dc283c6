//! What shows that the gateway made a subscription, and that a payment is that of a run. Neither
//! may be made without the pepper: a role of the database may have written the row, and a merchant
//! may have used the reference.

use super::ordering;
use crate::access::{self, SealMessage};
use crate::hex::hex;
use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use domain::access::AccountUserId;
use domain::idempotency::IdempotencyKey;
use domain::recurring::{RecurringOrder, RecurringTerms};
use domain::reference::MerchantReference;
use domain::transaction::Transaction;
use ports::PortError;
use ports::access_keys::RowSeal;
use ports::recurring::SealedRecurring;

const SEAL: &str = "manilla subscription seal v1";

const RUN: &str = "manilla subscription run v1";

/// What the idempotency keys of runs begin with. Merchants may send such a key, and do not know the
/// rest.
const KEY_PREFIX: &str = "run ";

/// The seal of what never changes of a subscription.
pub(super) fn seal(pepper: &Pepper, terms: &RecurringTerms) -> RowSeal {
    let user = terms.made_by.user.map(AccountUserId::get);
    let user = user.map(|user| i64::try_from(user).unwrap_or(i64::MAX));
    let message = SealMessage::default()
        .with(terms.account.as_str().as_bytes())
        .with(&terms.number.get().to_be_bytes())
        .with(terms.reference.as_str().as_bytes())
        .with(terms.schedule.interval.code().as_bytes())
        .number(terms.schedule.start.as_millis())
        .optional(terms.schedule.count.map(i64::from))
        .with(terms.time_zone.as_bytes())
        .with(terms.on_failure.code().as_bytes())
        .number(terms.made_by.key.0)
        .optional(user)
        .with(&terms.asked.0)
        .number(terms.created_at.as_millis());
    // What a run orders, not what was looked up beside it.
    let order = RecurringOrder::again(&terms.order, terms.reference.clone());
    let values = order.iter().flat_map(ordering::values);
    let message = values.fold(message, |message, value| message.with(value.as_bytes()));
    RowSeal(message.authenticated(pepper, SEAL))
}

/// Whether a subscription is as the gateway made it.
pub(super) fn is_sealed(pepper: &Pepper, sealed: &SealedRecurring) -> bool {
    let terms = &sealed.payment.terms;
    access::is_sealed(pepper, sealed.seal, |it| seal(it, terms))
}

/// The idempotency key of a payment of a run.
pub(super) fn run_key(
    pepper: &Pepper,
    terms: &RecurringTerms,
    reference: &MerchantReference,
) -> Result<IdempotencyKey, PortError> {
    let parts = [terms.account.as_str(), reference.as_str()];
    let message = PrefixedParts::default().with_each(parts);
    let hash = pepper
        .first()
        .for_purpose(RUN)
        .authenticate(message.as_bytes());
    IdempotencyKey::parse(&format!("{KEY_PREFIX}{}", hex(&hash)))
        .map_err(|error| PortError::caused("subscriptions", "make the key of a run", error))
}

/// Whether a payment was opened under a key.
pub(super) fn is_under(key: &IdempotencyKey, payment: &Transaction) -> bool {
    let idempotency = payment.idempotency.as_ref();
    idempotency.is_some_and(|it| it.key == *key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::idempotency::RequestFingerprint;
    use domain::money::Money;
    use domain::recurring::{OnRunFailure, RecurringInterval};
    use testkit::builders::{
        account_id, account_user_id, airtime, at, number, recurring, reference,
    };

    const PEPPER: Pepper = Pepper::new([9; 32]);

    #[test]
    fn a_subscription_is_read_as_it_was_made_and_in_no_other_way() {
        let is_read = |change: fn(&mut RecurringTerms)| {
            let mut made = recurring("shop", 7, "daily");
            made.seal = seal(&PEPPER, &made.payment.terms);
            change(&mut made.payment.terms);
            is_sealed(&PEPPER, &made)
        };
        assert!(is_read(|_| ()));
        let changes: [fn(&mut RecurringTerms); 14] = [
            |it| it.account = account_id("other"),
            |it| it.number = number(8),
            |it| it.reference = reference("weekly"),
            |it| it.order = airtime().worth("9,999").transaction().order,
            |it| it.order = airtime().to("2348031230000").transaction().order,
            |it| it.schedule.interval = RecurringInterval::Week,
            |it| it.schedule.start = at(1),
            |it| it.schedule.count = None,
            |it| it.time_zone = "UTC".into(),
            |it| it.on_failure = OnRunFailure::Stop,
            |it| it.made_by.key.0 = 9,
            |it| it.made_by.user = Some(account_user_id(1)),
            |it| it.asked = RequestFingerprint([9; 32]),
            |it| it.created_at = at(1),
        ];
        for (nth, change) in changes.into_iter().enumerate() {
            assert!(!is_read(change), "change {nth}");
        }
        let amount = |it: &RecurringTerms| it.order.amount().minor();
        let made = recurring("shop", 7, "daily");
        assert!(amount(&made.payment.terms) < Money::MAX_MINOR);
    }

    #[test]
    fn a_key_follows_from_the_account_the_reference_and_the_pepper() {
        let terms = recurring("shop", 7, "daily").payment.terms;
        let theirs = recurring("other", 7, "daily").payment.terms;
        let key = |pepper: u8, terms: &RecurringTerms, under: &str| {
            run_key(&Pepper::new([pepper; 32]), terms, &reference(under)).unwrap()
        };
        let first = key(1, &terms, "sub-7-1");
        assert_eq!(first, key(1, &terms, "sub-7-1"));
        for other in [
            key(2, &terms, "sub-7-1"),
            key(1, &theirs, "sub-7-1"),
            key(1, &terms, "sub-7-2"),
        ] {
            assert_ne!(first, other);
        }
    }
}
