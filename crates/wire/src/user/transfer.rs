//! `POST /transfer/user`. It must show whether an account was paid, is waited for, or did not come.

use crate::attribute::{NARRATION, TRANSFER_AMOUNT, USER_IDENTITY};
use crate::attributes::Attributes;
use crate::format;
use crate::reader::{FieldReader, Handling};
use crate::transaction::identity;
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::account::{AccountId, AccountIdentity, EmailAddress};
use domain::bank::Narration;
use domain::money::Currency;
use domain::phone::PhoneNumber;
use domain::transaction::{State, Transaction};
use domain::user::{Recipient, UserOrder, UserTransfer};

/// Why a text is none of the three.
#[derive(Debug, thiserror::Error)]
#[error(
    "must be the mrcIdentity of an account, an e-mail address, or a phone number in international \
     format that begins with +"
)]
struct InvalidIdentity;

/// Reads a transfer; its amount is in the currency of the account's balance.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<UserTransfer, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let reference = reader.reference();
    let identity = reader.required(&USER_IDENTITY, account_identity);
    let amount = reader.amount_of(&TRANSFER_AMOUNT, Currency::Ngn);
    let narration = reader.required(&NARRATION, Narration::parse);
    reader.finish(|| {
        Ok(UserTransfer {
            reference: reference?,
            identity: identity?,
            amount: amount?,
            narration: narration?,
        })
    })
}

/// What begins with a plus is a phone number, what has an at-sign an e-mail address; neither can be
/// in the identity of an account. Digits alone may be one.
fn account_identity(text: &str) -> Result<AccountIdentity, InvalidIdentity> {
    let read = if text.starts_with('+') {
        PhoneNumber::parse(text).ok().map(AccountIdentity::Phone)
    } else if text.contains('@') {
        EmailAddress::parse(text).ok().map(AccountIdentity::Email)
    } else {
        AccountId::parse(text).ok().map(AccountIdentity::Id)
    };
    read.ok_or(InvalidIdentity)
}

/// A transfer: who is paid, and whether the account took it.
pub(crate) fn view(transaction: &Transaction, order: &UserOrder, zone: &Zone) -> Object {
    let quote = &transaction.quote;
    let gateway = format::gateway_status(transaction.gateway_status());
    let identity_sent = match &order.identity {
        AccountIdentity::Phone(phone) => format!("+{}", phone.digits()),
        other @ (AccountIdentity::Id(_) | AccountIdentity::Email(_)) => other.to_string(),
    };
    let name = transaction.payee().map(|payee| payee.name.masked());
    let until = match order.recipient {
        Recipient::Unclaimed { until } => Some(zone.date_time(until)),
        Recipient::Account(_) => None,
    };
    identity(transaction)
        .with("txnDate", zone.date_time(transaction.opened_at))
        .with("gtwStatus", gateway)
        .with("usrIdentity", identity_sent)
        .with("usrName", name)
        .with("clmStatus", claim_status(transaction))
        .with("clmExpires", until)
        .with("txnAmount", order.amount)
        .with("txnNarration", order.narration.as_str())
        .with("price", quote.price)
        .with("currency", quote.price.currency().code())
}

const fn claim_status(transaction: &Transaction) -> &'static str {
    match &transaction.state {
        State::Booked(_) => "Claimed",
        State::Failed(_) | State::Cancelled(_) | State::Reversed(_) => "Returned",
        State::Queued(_)
        | State::Sending(_)
        | State::InDoubt(_)
        | State::Review(_)
        | State::Successful(_) => "Unclaimed",
    }
}
