//! What messages to a person's app share.

use super::observation::{finding, receipt};
use super::products::{phone, serial};
use domain::country::CountryCode;
use domain::messaging::MessageParties;
use domain::provider::{Fulfilment, QueryOutcome, Receipt};
use domain::sms::SenderName;
use domain::transaction::{Observation, Transaction};

/// A message of the shop to a number of MTN.
pub(super) fn message_parties() -> MessageParties {
    MessageParties {
        number: phone("2348031234567"),
        country: CountryCode::NIGERIA,
        network: "MTN".into(),
        sender: serial("100000000001"),
        sender_name: SenderName::parse("CornerShop").expect("a sender name"),
    }
}

/// An unasked report of what became of a message.
pub(super) fn delivery_report(tx: &Transaction, fulfilment: Fulfilment) -> Observation {
    let receipt = Receipt {
        fulfilment,
        ..receipt(tx)
    };
    finding(tx, QueryOutcome::Delivered(receipt))
}
