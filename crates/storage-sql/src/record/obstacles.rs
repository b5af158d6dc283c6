//! What stands in the way of a key, a user, a top-up, a subscription or a refund, from the counts
//! that both databases read in one statement. A retry must find what it made, also where there is
//! no room for another.

use domain::access::{
    ACCESS_KEY_NAMES_MAX, ACCESS_KEYS_PER_DAY_MAX, ACCESS_KEYS_PER_NAME_MAX, USERS_MAX,
    USERS_PER_DAY_MAX,
};
use domain::collection::{Collection, CollectionKind, VIRTUAL_ACCOUNTS_MAX};
use domain::recurring::RECURRING_MAX;
use domain::refund::REFUNDS_OPEN_MAX;
use domain::top_up::TOP_UPS_OPEN_MAX;
use ports::access_keys::AccessKeyCreation;
use ports::account_users::UserCreation;
use ports::collections::CollectionCreation;
use ports::invoices::InvoiceWrite;
use ports::recurring::RecurringCreation;
use ports::refunds::RefundCreation;
use ports::top_ups::TopUpCreation;

/// Whether the account is unknown, the number or the first characters are taken; how many keys of
/// the name work, how many names have such keys, and how many keys were made within a day.
pub type KeyObstacles = (bool, bool, bool, i64, i64, i64);

/// Whether the account is unknown, the number or the address is taken; how many users there are,
/// and how many were invited within a day.
pub type UserObstacles = (bool, bool, bool, i64, i64);

/// Whether the account is unknown, the number or the reference is taken; how many are open.
pub type TopUpObstacles = (bool, bool, bool, i64);

/// Whether the account is unknown, a number or the reference is taken; how many virtual accounts
/// there are.
pub type CollectionObstacles = (bool, bool, bool, i64);

/// Whether the account is unknown, the number is taken, by an invoice or a collection, the
/// reference is taken by another invoice, or by a collection.
pub type InvoiceObstacles = (bool, bool, bool, bool);

/// Whether a draft has another version, its number is taken by a collection, or its reference.
pub type InvoiceOpeningObstacles = (bool, bool, bool);

/// Whether the account is unknown, the number, the reference or the payment is taken; how many
/// wait.
pub type RefundObstacles = (bool, bool, bool, bool, i64);

/// Why a key is not made.
pub fn key_obstacle(found: KeyObstacles) -> Option<AccessKeyCreation> {
    let (account_unknown, id_taken, hint_taken, of_name, names, today) = found;
    first([
        (account_unknown, AccessKeyCreation::AccountUnknown),
        (id_taken, AccessKeyCreation::IdTaken),
        (hint_taken, AccessKeyCreation::HintTaken),
        (
            of_name >= i64::from(ACCESS_KEYS_PER_NAME_MAX),
            AccessKeyCreation::NameTaken,
        ),
        (
            of_name == 0 && names >= i64::from(ACCESS_KEY_NAMES_MAX),
            AccessKeyCreation::TooManyNames,
        ),
        (
            today >= i64::from(ACCESS_KEYS_PER_DAY_MAX),
            AccessKeyCreation::TooManyToday,
        ),
    ])
}

/// Why a user is not invited.
pub fn user_obstacle(found: UserObstacles) -> Option<UserCreation> {
    let (account_unknown, id_taken, email_taken, all, today) = found;
    first([
        (account_unknown, UserCreation::AccountUnknown),
        (id_taken, UserCreation::IdTaken),
        (email_taken, UserCreation::EmailTaken),
        (all >= i64::from(USERS_MAX), UserCreation::TooMany),
        (
            today >= i64::from(USERS_PER_DAY_MAX),
            UserCreation::TooManyToday,
        ),
    ])
}

/// Why a top-up is not stored.
pub fn top_up_obstacle(found: TopUpObstacles) -> Option<TopUpCreation> {
    let (account_unknown, number_taken, reference_taken, open) = found;
    first([
        (account_unknown, TopUpCreation::AccountUnknown),
        (number_taken, TopUpCreation::NumberTaken),
        (reference_taken, TopUpCreation::ReferenceTaken),
        (open >= i64::from(TOP_UPS_OPEN_MAX), TopUpCreation::TooMany),
    ])
}

/// Why a collection is not stored.
pub fn collection_obstacle(
    found: CollectionObstacles,
    wanted: &Collection,
) -> Option<CollectionCreation> {
    let (account_unknown, number_taken, reference_taken, accounts) = found;
    let is_account = matches!(wanted.kind, CollectionKind::Account(_));
    let too_many = is_account && accounts >= i64::from(VIRTUAL_ACCOUNTS_MAX);
    first([
        (account_unknown, CollectionCreation::AccountUnknown),
        (number_taken, CollectionCreation::NumberTaken),
        (reference_taken, CollectionCreation::ReferenceTaken),
        (too_many, CollectionCreation::TooMany),
    ])
}

/// Why an invoice is not stored.
pub fn invoice_obstacle(found: InvoiceObstacles) -> Option<InvoiceWrite> {
    let (account_unknown, number_taken, reference_taken, collection_taken) = found;
    first([
        (account_unknown, InvoiceWrite::AccountUnknown),
        (number_taken, InvoiceWrite::NumberTaken),
        (reference_taken, InvoiceWrite::ReferenceTaken),
        (collection_taken, InvoiceWrite::CollectionTaken),
    ])
}

/// Why a draft is not opened.
pub fn invoice_opening_obstacle(found: InvoiceOpeningObstacles) -> Option<InvoiceWrite> {
    let (changed, number_taken, collection_taken) = found;
    first([
        (changed, InvoiceWrite::Conflict),
        (collection_taken, InvoiceWrite::CollectionTaken),
        (number_taken, InvoiceWrite::NumberTaken),
    ])
}

/// Why a subscription is not stored: the counts are those of a top-up.
pub fn recurring_obstacle(found: TopUpObstacles) -> Option<RecurringCreation> {
    let (account_unknown, number_taken, reference_taken, live) = found;
    first([
        (account_unknown, RecurringCreation::AccountUnknown),
        (number_taken, RecurringCreation::NumberTaken),
        (reference_taken, RecurringCreation::ReferenceTaken),
        (live >= i64::from(RECURRING_MAX), RecurringCreation::TooMany),
    ])
}

/// Why a refund is not stored.
pub fn refund_obstacle(found: RefundObstacles) -> Option<RefundCreation> {
    let (account_unknown, number_taken, reference_taken, payment_taken, open) = found;
    first([
        (account_unknown, RefundCreation::AccountUnknown),
        (number_taken, RefundCreation::NumberTaken),
        (reference_taken, RefundCreation::ReferenceTaken),
        (payment_taken, RefundCreation::PaymentTaken),
        (open >= i64::from(REFUNDS_OPEN_MAX), RefundCreation::TooMany),
    ])
}

fn first<T>(obstacles: impl IntoIterator<Item = (bool, T)>) -> Option<T> {
    let mut obstacles = obstacles.into_iter();
    obstacles.find_map(|(stands, obstacle)| stands.then_some(obstacle))
}
