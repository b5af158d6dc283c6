//! What the suites buy. Orders are plain JSON: a client knows nothing else.

mod lookups;

pub use lookups::{device, lookup, lookup_by_name};

use crate::answer::HttpAnswer;
use crate::provider_journal::minor;
use reqwest::Method;
use serde_json::{Value, json};

/// The path of top-ups.
pub const AIRTIME: &str = "/payment/airtime";

/// The path of cable TV subscriptions.
pub const CABLETV: &str = "/payment/cabletv";

/// The path of meter payments.
pub const ELECTRICITY: &str = "/payment/electricity";

/// The path of gas bills and prepaid gas.
pub const GAS: &str = "/payment/gas";

/// The path of data bundles.
pub const INTERNET: &str = "/payment/internet";

/// The path of text messages.
pub const SMS: &str = "/messaging/sms";

/// The path of calls that run a flow, and what stands for a flow of the account.
pub const IVR: &str = "/messaging/ivr";
pub const FLOW: &str = "{flow}";
/// The path of voice calls.
pub const VOICE: &str = "/messaging/voice";
/// The path of WhatsApp messages.
pub const WHATSAPP: &str = "/messaging/whatsapp";

/// The path of RCS messages.
pub const RCS: &str = "/messaging/rcs";

/// The path of number lookups, and of their reports.
pub const HLR: &str = "/vas/hlrlookup";

/// The path of lookups that are sold by name, and of their reports.
pub const LOOKUP: &str = "/vas/lookup";

/// The path of the locations of devices, and of their reports.
pub const DEVICE: &str = "/geolocation/device";

/// Stands in an order for the serial number of its sender: serial numbers are given out, and
/// no order can know one beforehand.
pub const SENDER: &str = "{sender}";

/// What stands for a quote in an order until it is sent.
pub const QUOTE: &str = "{quote}";

/// The same of a quote for an account in Germany.
pub const QUOTE_TO_GERMANY: &str = "{quote-to-germany}";

/// The path of transfers abroad.
pub const INTERNATIONAL: &str = "/transfer/international";

/// The path of transfers to cards.
pub const CARD: &str = "/transfer/card";

/// The path of transfers to mobile money wallets.
pub const MOBILE_MONEY: &str = "/transfer/mobilemoney";

/// The path of payouts to bank accounts.
pub const PAYOUT: &str = "/transfer/bank/payout";

/// A bank whose account numbers have a check digit, by the code it is made with.
pub const GTBANK: (&str, &str) = ("NGNIP000013", "058");

/// What is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderFamily {
    Airtime,
    CableTv,
    Electricity,
    Internet,
    Sms,
    Whatsapp,
    Rcs,
    Voice,
    Ivr,
    Bank,
    Hlr,
    Gas,
    MobileMoney,
    Card,
    International,
    Lookup,
    Device,
}

impl OrderFamily {
    pub const ALL: [Self; 17] = [
        Self::Airtime,
        Self::CableTv,
        Self::Electricity,
        Self::Internet,
        Self::Sms,
        Self::Whatsapp,
        Self::Rcs,
        Self::Voice,
        Self::Ivr,
        Self::Bank,
        Self::Hlr,
        Self::Gas,
        Self::MobileMoney,
        Self::Card,
        Self::International,
        Self::Lookup,
        Self::Device,
    ];

    /// The path its purchases are sent to.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Airtime => AIRTIME,
            Self::CableTv => CABLETV,
            Self::Electricity => ELECTRICITY,
            Self::Internet => INTERNET,
            Self::Sms => SMS,
            Self::Whatsapp => WHATSAPP,
            Self::Rcs => RCS,
            Self::Voice => VOICE,
            Self::Ivr => IVR,
            Self::Bank => PAYOUT,
            Self::Hlr => HLR,
            Self::Gas => GAS,
            Self::MobileMoney => MOBILE_MONEY,
            Self::Card => CARD,
            Self::International => INTERNATIONAL,
            Self::Lookup => LOOKUP,
            Self::Device => DEVICE,
        }
    }

    /// The verb that buys.
    #[must_use]
    pub const fn verb(self) -> Method {
        match self {
            Self::Airtime
            | Self::CableTv
            | Self::Electricity
            | Self::Internet
            | Self::Sms
            | Self::Whatsapp
            | Self::Rcs
            | Self::Voice
            | Self::Ivr
            | Self::Gas
            | Self::MobileMoney
            | Self::Card
            | Self::International
            | Self::Bank => Method::POST,
            Self::Hlr | Self::Lookup | Self::Device => Method::GET,
        }
    }

    /// The path an order is sent to, with the order itself where it is a query.
    #[must_use]
    pub fn target(self, order: &Value) -> String {
        let path = self.path();
        if self.verb() == Method::POST {
            return path.to_owned();
        }
        let fields = order.as_object().expect("an order").iter();
        let filter = |(name, value): (&String, &Value)| {
            format!("{name}={}", value.to_string().trim_matches('"'))
        };
        let filters: Vec<_> = fields.map(filter).collect();
        format!("{path}?{}", filters.join("&"))
    }

    /// The body an order is sent in; empty where it is a query.
    #[must_use]
    pub fn body(self, order: &Value) -> String {
        if self.verb() == Method::POST {
            order.to_string()
        } else {
            String::new()
        }
    }

    /// A purchase whose number, card, meter or account ends in these four digits.
    #[must_use]
    pub fn order(self, reference: &str, ending: &str) -> Value {
        match self {
            Self::Airtime => airtime(reference, &format!("234803123{ending}"), "1,000.00"),
            Self::CableTv => cabletv(reference, &format!("702123{ending}"), "20205"),
            Self::Electricity => electricity(reference, &format!("0451234{ending}"), "5,000.00"),
            Self::Internet => internet(reference, &format!("234803123{ending}"), "30109"),
            Self::Sms => message(reference, &format!("234803123{ending}"), "Hello"),
            Self::Whatsapp => whatsapp(reference, &format!("234803123{ending}"), "Hello"),
            Self::Rcs => rcs(reference, &format!("234803123{ending}"), "Hello"),
            Self::Voice => voice(reference, &format!("234803123{ending}"), "Hello"),
            Self::Ivr => ivr(reference, &format!("234803123{ending}")),
            Self::Gas => gas(reference, &format!("3100456{ending}"), "5,000.00"),
            Self::Hlr => lookup(reference, &format!("234803123{ending}")),
            Self::Lookup => lookup_by_name(reference, &format!("234803123{ending}")),
            Self::Device => device(reference, &format!("234803123{ending}")),
            Self::Card => card(reference, &format!("tok_visa_{ending}"), "20,000.00"),
            Self::International => international(reference, &format!("144100012{ending}")),
            Self::MobileMoney => {
                mobile_money(reference, &format!("234803123{ending}"), "20,000.00")
            }
            Self::Bank => {
                let account = account_number(GTBANK.1, ending);
                payout(reference, (GTBANK.0, &account), "20,000.00")
            }
        }
    }

    /// Whether money that has arrived cannot be fetched back, so that silence ends nothing: a
    /// person decides.
    #[must_use]
    pub const fn waits_for_a_person(self) -> bool {
        matches!(
            self,
            Self::Bank | Self::MobileMoney | Self::Card | Self::International
        )
    }

    /// Whether it is delivered to a device, later than its provider has it.
    #[must_use]
    pub const fn is_message(self) -> bool {
        matches!(self, Self::Sms | Self::Whatsapp | Self::Rcs)
    }

    /// Whether it is asked for by a GET, which is its report as well.
    #[must_use]
    pub const fn is_lookup(self) -> bool {
        matches!(self, Self::Hlr | Self::Lookup | Self::Device)
    }

    /// Whether its purchases bring a token.
    #[must_use]
    pub const fn brings_token(self) -> bool {
        matches!(self, Self::Electricity | Self::Gas)
    }

    /// The path of its reports.
    #[must_use]
    pub const fn reports(self) -> &'static str {
        match self {
            Self::Airtime => "/payment/airtime/transaction",
            Self::CableTv => "/payment/cabletv/transaction",
            Self::Electricity => "/payment/electricity/transaction",
            Self::Internet => "/payment/internet/transaction",
            Self::Sms => "/messaging/sms/transaction",
            Self::Whatsapp => "/messaging/whatsapp/transaction",
            Self::Rcs => "/messaging/rcs/transaction",
            Self::Voice => "/messaging/voice/transaction",
            Self::Ivr => "/messaging/ivr/transaction",
            Self::Bank => "/transfer/bank/transaction",
            Self::Hlr => HLR,
            Self::Lookup => LOOKUP,
            Self::Device => DEVICE,
            Self::Gas => "/payment/gas/transaction",
            Self::MobileMoney => "/transfer/mobilemoney/transaction",
            Self::Card => "/transfer/card/transaction",
            Self::International => "/transfer/international/transaction",
        }
    }

    /// Where the report of a reference is.
    #[must_use]
    pub fn report(self, reference: &str) -> String {
        format!("{}?mrcReference={reference}", self.reports())
    }

    /// These two as a report of this family shows them: that of a payout has no `gtwStatus`
    /// (interface §2.9).
    #[must_use]
    pub fn shown(self, status: &str, gateway_status: &str) -> (String, Option<String>) {
        let gateway_status = match self {
            Self::Airtime
            | Self::CableTv
            | Self::Electricity
            | Self::Internet
            | Self::Sms
            | Self::Whatsapp
            | Self::Rcs
            | Self::Voice
            | Self::Ivr
            | Self::Gas
            | Self::MobileMoney
            | Self::Card
            | Self::International
            | Self::Lookup
            | Self::Device
            | Self::Hlr => Some(gateway_status.to_owned()),
            Self::Bank => None,
        };
        (status.to_owned(), gateway_status)
    }

    /// `txnStatus` and `gtwStatus` of a report.
    #[must_use]
    pub fn statuses(self, report: &HttpAnswer) -> (String, Option<String>) {
        let fields = report.json();
        let gateway_status = fields["gtwStatus"].as_str();
        (report.txn_status(), gateway_status.map(str::to_owned))
    }

    /// What a purchase takes from the balance, in minor units.
    #[must_use]
    pub fn price(self, report: &HttpAnswer) -> i64 {
        let parts: &[&str] = match self {
            Self::Airtime
            | Self::CableTv
            | Self::Electricity
            | Self::Internet
            | Self::Gas
            | Self::MobileMoney
            | Self::Card
            | Self::International
            | Self::Lookup
            | Self::Device
            | Self::Hlr => &["price"],
            Self::Sms | Self::Whatsapp | Self::Rcs | Self::Voice | Self::Ivr => &["cost"],
            Self::Bank => &["txnAmount", "txnCharges", "txnFees"],
        };
        parts.iter().map(|part| minor(&report.text(part))).sum()
    }

    /// What is held for an order of the suites where its report shows no more what that was, in
    /// minor units.
    #[must_use]
    pub const fn price_held(self) -> Option<i64> {
        match self {
            Self::Lookup => Some(1_500),
            Self::Device => Some(2_000),
            Self::Airtime
            | Self::CableTv
            | Self::Electricity
            | Self::Internet
            | Self::Sms
            | Self::Whatsapp
            | Self::Rcs
            | Self::Voice
            | Self::Ivr
            | Self::Bank
            | Self::Hlr
            | Self::Gas
            | Self::MobileMoney
            | Self::Card
            | Self::International => None,
        }
    }

    /// The word for references.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::CableTv => "cabletv",
            Self::Electricity => "electricity",
            Self::Internet => "internet",
            Self::Sms => "sms",
            Self::Whatsapp => "whatsapp",
            Self::Rcs => "rcs",
            Self::Voice => "voice",
            Self::Ivr => "ivr",
            Self::Bank => "bank",
            Self::Hlr => "hlr",
            Self::Gas => "gas",
            Self::MobileMoney => "mobilemoney",
            Self::Card => "card",
            Self::International => "international",
            Self::Lookup => "lookup",
            Self::Device => "device",
        }
    }
}

/// A top-up of a prepaid line in Nigeria.
#[must_use]
pub fn airtime(reference: &str, number: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "amount": amount,
        "billing": "prepaid",
    })
}

/// A payment for a prepaid meter.
#[must_use]
pub fn electricity(reference: &str, meter: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "disco": "101",
        "number": meter,
        "amount": amount,
        "billing": "prepaid",
    })
}

/// A payment for a prepaid gas meter.
#[must_use]
pub fn gas(reference: &str, meter: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "provider": "701",
        "number": meter,
        "amount": amount,
    })
}

/// A month of a GOtv plan.
#[must_use]
pub fn cabletv(reference: &str, card: &str, plan: &str) -> Value {
    json!({
        "mrcReference": reference,
        "provider": "202",
        "number": card,
        "subscribe": "instant",
        "identifier": plan,
        "duration": 1,
    })
}

/// A data bundle for a device.
#[must_use]
pub fn internet(reference: &str, number: &str, plan: &str) -> Value {
    json!({"mrcReference": reference, "identifier": plan, "number": number})
}

/// A message in the first of the two sets of names, from the approved sender of the account.
#[must_use]
pub fn message(reference: &str, number: &str, text: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "sender": SENDER,
        "type": "text",
        "message": text,
    })
}

/// A voice call of up to three minutes.
#[must_use]
pub fn voice(reference: &str, number: &str, text: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "sender": SENDER,
        "type": "speech",
        "content": text,
        "callMinutes": 3,
    })
}

/// A call of up to three minutes that runs a flow.
#[must_use]
pub fn ivr(reference: &str, number: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "sender": SENDER,
        "flwIdentifier": FLOW,
        "callMinutes": 3,
    })
}

/// A WhatsApp text.
#[must_use]
pub fn whatsapp(reference: &str, number: &str, text: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "number": number,
        "sender": SENDER,
        "type": "text",
        "content": text,
    })
}

/// An RCS text.
#[must_use]
pub fn rcs(reference: &str, number: &str, text: &str) -> Value {
    whatsapp(reference, number, text)
}

/// The same message in the second set of names.
#[must_use]
pub fn message_b(reference: &str, number: &str, text: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": 566,
        "phnNumber": number,
        "msgSender": SENDER,
        "msgType": "text",
        "msgContent": text,
    })
}

/// An order in which a sender has taken its place.
#[must_use]
pub fn signed(order: &str, sender: &str) -> String {
    order.replace(SENDER, sender)
}

/// A transfer to an account in Ghana, by a quote.
#[must_use]
pub fn international(reference: &str, number: &str) -> Value {
    json!({
        "mrcReference": reference,
        "qteIdentifier": QUOTE,
        "accountName": "Ama Mensah",
        "bankIdentifier": "GCBLGHAC",
        "accountNumber": number,
        "address": "12 High Street, Accra",
        "txnPurpose": "goods",
    })
}

/// A transfer to a card.
#[must_use]
pub fn card(reference: &str, token: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "crdToken": token,
        "txnAmount": amount,
        "txnNarration": "Prize of May",
    })
}

/// A transfer to a wallet at an operator whose wallets can be paid.
#[must_use]
pub fn mobile_money(reference: &str, number: &str, amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "countryCode": "566",
        "identifier": "901",
        "number": number,
        "txnAmount": amount,
        "txnNarration": "Prize of May",
    })
}

/// A payout to an account at a bank.
#[must_use]
pub fn payout(reference: &str, (bank, account): (&str, &str), amount: &str) -> Value {
    json!({
        "mrcReference": reference,
        "bankIdentifier": bank,
        "accountNumber": account,
        "txnAmount": amount,
        "txnNarration": "Rent",
    })
}

/// An account number of a Nigerian bank that ends in these four digits, the last of which is its
/// check digit: the number's beginning is chosen so that it is.
///
/// # Panics
/// When the digits are no four digits.
#[must_use]
pub fn account_number(bank_code: &str, ending: &str) -> String {
    let numbers = (12_345..).map(|serial| format!("{serial:06}{ending}"));
    let fits = |number: &String| {
        let digits = bank_code.chars().chain(number.chars());
        let digits: Vec<_> = digits.map(|c| c.to_digit(10).expect("a digit")).collect();
        let (check, rest) = digits.split_last().expect("digits");
        let weighted = rest.iter().zip([3, 7, 3].iter().cycle());
        let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
        *check == (10 - sum % 10) % 10
    };
    numbers.take(100_000).find(fits).expect("an account number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_numbers_are_those_their_banks_give() {
        // The example of the standard: 0000014579 at the bank 011.
        for (code, ending, expected) in [
            ("058", "0001", "0123510001"),
            ("058", "0014", "0123480014"),
            ("044", "0001", "0123540001"),
        ] {
            assert_eq!(account_number(code, ending), expected);
        }
    }
}
