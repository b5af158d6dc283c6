//! Formats decimals and enumerated values of answers. It must not round money: amounts are written
//! by `Money` itself.

use crate::tree::Node;
use domain::billing::Billing;
use domain::token::Token;
use domain::transaction::{GatewayStatus, Status, Transaction};
use rust_decimal::{Decimal, RoundingStrategy};

/// The placeholder for an unknown text (interface §2.10).
const UNAVAILABLE: &str = "Unavailable";

/// A text that may be empty because its source does not know it.
pub(crate) fn available(text: &str) -> Node {
    Node::from(available_text(text))
}

/// The same as a text.
pub(crate) fn available_text(text: &str) -> &str {
    if text.trim().is_empty() {
        UNAVAILABLE
    } else {
        text
    }
}

/// The number of a token, or the placeholder where it was erased.
pub(crate) fn token_number(token: &Token) -> Node {
    let number = token.number.as_ref().map(ToString::to_string);
    available(number.as_deref().unwrap_or_default())
}

/// Kilowatt-hours of a token, two decimals; `None` where the company did not say.
pub(crate) fn units(token: &Token) -> Option<String> {
    let mut units = token
        .units?
        .round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    units.rescale(2);
    Some(units.to_string())
}

/// A rate with all the decimals it has and at least two, so that it can be calculated with.
pub(crate) fn rate(rate: Decimal) -> String {
    let mut rate = rate.normalize();
    if rate.scale() < 2 {
        rate.rescale(2);
    }
    rate.to_string()
}

/// `billing` in answers, capitalised (interface §2.4).
pub(crate) const fn billing(billing: Billing) -> &'static str {
    match billing {
        Billing::Prepaid => "Prepaid",
        Billing::Postpaid => "Postpaid",
    }
}

/// `txnStatus`.
pub(crate) const fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "Pending",
        Status::Successful => "Successful",
        Status::Failed => "Failed",
        Status::Reversed => "Reversed",
    }
}

/// `gtwStatus`.
pub(crate) const fn gateway_status(status: GatewayStatus) -> &'static str {
    match status {
        GatewayStatus::Queued => "Queued",
        GatewayStatus::Submitted => "Submitted",
        GatewayStatus::Delivered => "Delivered",
        GatewayStatus::Rejected => "Rejected",
        GatewayStatus::Unknown => "Unknown",
        GatewayStatus::Reversed => "Reversed",
    }
}

/// `gtwStatus` of what is delivered to a device: Delivered only once the device has it. A
/// transaction is Successful as soon as the network has accepted it.
pub(crate) fn gateway_status_by_device(
    transaction: &Transaction,
    is_on_device: bool,
) -> &'static str {
    let reported = transaction.gateway_status();
    gateway_status(if reported == GatewayStatus::Delivered && !is_on_device {
        GatewayStatus::Submitted
    } else {
        reported
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::builders::{naira, token};

    #[test]
    fn units_have_two_decimals_and_rates_at_least_two() {
        let shown = |number, scale| {
            units(&token(naira("1.00"), Decimal::new(number, scale))).unwrap_or_default()
        };
        assert_eq!(shown(16, 0), "16.00");
        assert_eq!(shown(166, 1), "16.60");
        assert_eq!(shown(16_655, 3), "16.66");
        assert_eq!(rate(Decimal::new(68, 0)), "68.00");
        assert_eq!(rate(Decimal::new(681_230, 4)), "68.123");
    }
}
