//! Subscriptions in few words.

use super::{account_id, airtime, at, reference};
use domain::credential::KeyId;
use domain::idempotency::RequestFingerprint;
use domain::order::Order;
use domain::recurring::{
    OnRunFailure, RecurringInterval, RecurringPayment, RecurringProgress, RecurringSchedule,
    RecurringTerms, RecurringVersion,
};
use domain::reference::TransactionNumber;
use domain::transaction::KeyHolder;
use ports::access_keys::RowSeal;
use ports::recurring::SealedRecurring;

/// Airtime every day from a minute after the beginning on, for an account called `account`.
pub fn recurring(account: &str, number: u64, under: &str) -> SealedRecurring {
    recurring_of(account, (number, under), airtime().transaction().order)
}

/// The same of another order.
pub fn recurring_of(account: &str, (number, under): (u64, &str), order: Order) -> SealedRecurring {
    let terms = RecurringTerms {
        account: account_id(account),
        number: TransactionNumber::try_new(number).expect("a number"),
        reference: reference(under),
        order,
        schedule: RecurringSchedule {
            interval: RecurringInterval::Day,
            start: at(60),
            count: Some(30),
        },
        time_zone: "Africa/Lagos".to_owned(),
        on_failure: OnRunFailure::Retry,
        made_by: KeyHolder {
            key: KeyId(1),
            user: None,
        },
        asked: RequestFingerprint([1; 32]),
        created_at: at(0),
    };
    SealedRecurring {
        payment: RecurringPayment {
            progress: RecurringProgress::first(&terms),
            terms,
            version: RecurringVersion::FIRST,
        },
        seal: RowSeal([2; 32]),
    }
}
