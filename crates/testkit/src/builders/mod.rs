//! Values for tests, short to write: only what a test is about needs to be said. They must be legal
//! values: what is wrong on purpose is made wrong by the test itself.

mod access;
mod account_change;
mod accounts;
mod batch;
mod bill;
mod booking;
mod change_request;
mod changes;
mod collection;
mod fulfilment;
mod group;
mod incoming;
mod international;
mod invoice;
mod ivr;
mod library;
mod messaging;
mod observation;
mod own_books;
mod paid_lookup;
mod products;
mod purchase;
mod rcs;
mod reconciliation;
mod recurring;
mod refund;
mod request_log;
mod salary;
mod submission;
mod top_up;
mod voice;
mod voucher;
mod webhook;
mod whatsapp;

pub use access::{
    access_key, account_user, account_user_id, allowlist, freeze, operator_freeze, spending_limit,
    user_step,
};
pub use account_change::{noted_change, recorded_change};
pub use accounts::{AccountBuilder, account, adjustment, contact, funding, key, sender};
pub use batch::{BatchBuilder, batch};
pub use bill::{bill, bill_account, bill_category, bill_plan, bill_query, biller};
pub use booking::{appointment, bookable_service, seat};
pub use change_request::change_request;
pub use changes::dead_letter;
pub use collection::{checkout, collected, payment_reference, virtual_account, virtual_accounts};
pub use fulfilment::{
    bill_receipt, call, flow_run, fulfilment, hlr_report, token, unfinished_fulfilment, vend,
};
pub use group::{group, group_content, group_id};
pub use incoming::{incoming_message, received_message};
pub use international::{
    beneficiary, cedis, corridor, fee_quote, international, international_quote,
    international_to_iban, provider_quote, provider_quote_of,
};
pub use invoice::{invoice, invoice_opening, opened_invoice};
pub use ivr::{call_flow, flow_call};
pub use library::{kept_flow, kept_template, library_id};
pub use observation::{
    advance, advance_due, answer, apply, apply_by, call_ended, current_attempt, declined,
    delivered, finding, first_of, flow_ended, message_status, mismatched, not_found, not_sent,
    one_more, pending, receipt, receipt_of, refusal, refusal_of, reversed, ruled, ruling,
    second_at, takeover, unfinished, unknown,
};
pub use own_books::{unclaimed_transfer, user_transfer, wallet_transfer};
pub use paid_lookup::{company_lookup, consent, lookup_definition, lookup_findings, paid_lookup};
pub use products::{
    airtime, bank, bank_account, cable_plan, cable_provider, cabletv, cabletv_topup, card_transfer,
    data_plan, data_provider, electricity, hlr, internet, meter, mobile_money,
    mobile_money_operator, mobile_wallet, payment_card, payout, phone, plan_code, provider_code,
    purchase_of, serial, smartcard, sms,
};
pub use purchase::PurchaseBuilder;
pub use rcs::{rcs, rcs_carousel, rcs_file, rcs_saying, rcs_status, rcs_text};
pub use reconciliation::vouched;
pub use recurring::{recurring, recurring_of};
pub use request_log::{answered_request, logged_request};
pub use submission::submission;
pub use voice::{voice_audio, voice_call};
pub use webhook::{
    EVEN, answered, delivery_claim, delivery_id, delivery_query, disabled_event, ended, endpoint,
    endpoint_for, endpoint_id, ping, unanswered,
};
pub use whatsapp::{whatsapp, whatsapp_media, whatsapp_saying, whatsapp_status, whatsapp_text};

pub use crate::clock::START;
pub use refund::{refund, refund_decision};
pub use salary::salary;
pub use top_up::{receiving_account, top_up};
pub use voucher::{
    coupons, gift_card, gift_cards, issue, voucher_hash, voucher_redemption, voucher_steps,
};

use domain::account::AccountId;
use domain::money::{Currency, Money};
use domain::provider::ProviderId;
use domain::reference::{MerchantReference, TransactionNumber};
use domain::time::Timestamp;
use std::time::Duration;

/// An amount as people write it: `naira("1,234.00")`.
pub fn naira(text: &str) -> Money {
    Money::parse(text, Currency::Ngn).expect("an amount such as 1,234.00")
}

/// Message credits as people write them: `credits("12.00")`.
pub fn credits(text: &str) -> Money {
    Money::parse(text, Currency::Crd).expect("an amount such as 1,234.00")
}

/// An amount of naira in minor units.
pub const fn kobo(minor: i64) -> Money {
    Money::from_minor(minor, Currency::Ngn)
}

/// So many seconds after [`START`].
pub fn at(seconds: u64) -> Timestamp {
    START.plus(Duration::from_secs(seconds))
}

/// An account identity.
pub fn account_id(text: &str) -> AccountId {
    AccountId::parse(text).expect("an account identity")
}

/// A merchant's reference.
pub fn reference(text: &str) -> MerchantReference {
    MerchantReference::parse(text).expect("a merchant reference")
}

/// A transaction number.
pub fn number(number: u64) -> TransactionNumber {
    TransactionNumber::try_new(number).expect("a transaction number")
}

/// A provider identity.
pub fn provider_id(text: &str) -> ProviderId {
    ProviderId::parse(text).expect("a provider identity")
}
