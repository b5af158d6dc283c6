//! What a request means, hashed from its parsed values under the installation's pepper: two
//! spellings of one order have one meaning. The hash must cover every value that changes the order.

use crate::credentials::Pepper;
use crate::prefixed_parts::PrefixedParts;
use domain::airtime::TopUp;
use domain::bank::{BulkPayees, BulkPayout, GroupPayout, Payout, Payroll, Salary};
use domain::batch::OnFailure;
use domain::cabletv::{RequestedPlan, Subscribe};
use domain::electricity::MeterPayment;
use domain::idempotency::RequestFingerprint;
use domain::internet::BundlePurchase;
use domain::ivr::IvrCall;
use domain::messaging::AskedParties;
use domain::money::Money;
use domain::quote_identifier::QuoteIdentifier;
use domain::rcs::RcsMessage;
use domain::reference::MerchantReference;
use domain::sms::{BulkMessages, Message};
use domain::voice::VoiceCall;
use domain::whatsapp::WhatsappMessage;

/// A command whose meaning can be compared.
pub(crate) trait Fingerprinted {
    /// The merchant's reference.
    fn reference(&self) -> &MerchantReference;

    /// Every value of the command, the family first, in a fixed order.
    fn values(&self) -> Vec<String>;
}

impl Fingerprinted for TopUp {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            country,
            number,
            // Looked up, not sent: another plan would not make it another request.
            network: _,
            named_network,
            amount,
            billing,
        } = self;
        let mut values = vec![
            "airtime".into(),
            reference.to_string(),
            country.to_string(),
            number.to_string(),
            money(*amount),
            billing.code().into(),
        ];
        // Without one, a request means what it meant before networks could be named.
        values.extend(named_network.clone());
        values
    }
}

impl Fingerprinted for MeterPayment {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            meter,
            amount,
            customer_phone,
        } = self;
        let mut values = vec![
            "electricity".into(),
            reference.to_string(),
            meter.disco.to_string(),
            meter.number.to_string(),
            meter.billing.code().into(),
            money(*amount),
        ];
        // Without one, a request means what it meant before there was such an attribute.
        values.extend(customer_phone.as_ref().map(ToString::to_string));
        values
    }
}

impl Fingerprinted for Subscribe {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            card,
            requested: wanted,
            customer_phone,
        } = self;
        let wanted = match wanted {
            RequestedPlan::Plan { plan, duration } => {
                ["instant".into(), plan.to_string(), duration.to_string()]
            }
            RequestedPlan::TopUp(amount) => ["topup".into(), money(*amount), String::new()],
        };
        let mut values = vec![
            "cabletv".into(),
            reference.to_string(),
            card.provider.to_string(),
            card.number.to_string(),
        ];
        values.extend(wanted);
        values.extend(customer_phone.as_ref().map(ToString::to_string));
        values
    }
}

impl Fingerprinted for BundlePurchase {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            plan,
            number,
        } = self;
        vec![
            "internet".into(),
            reference.to_string(),
            plan.to_string(),
            number.to_string(),
        ]
    }
}

/// Both ways of naming the fields of a message mean the same.
impl Fingerprinted for Message {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            country,
            number,
            network: _,
            sender,
            kind,
            content,
            variant: _,
        } = self;
        vec![
            "sms".into(),
            reference.to_string(),
            country.to_string(),
            number.to_string(),
            sender.to_string(),
            kind.code().into(),
            content.as_str().into(),
        ]
    }
}

/// What makes one message of a family another one: its reference, its parties and what it says.
fn message_values(
    family: &str,
    (reference, parties): (&MerchantReference, &AskedParties),
    content: Vec<String>,
) -> Vec<String> {
    let named = [family.to_owned(), reference.to_string()];
    let values = named.into_iter().chain(parties.values());
    values.chain(content).collect()
}

impl Fingerprinted for WhatsappMessage {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            parties,
            content,
        } = self;
        message_values("whatsapp", (reference, parties), content.values())
    }
}

impl Fingerprinted for RcsMessage {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            parties,
            content,
        } = self;
        message_values("rcs", (reference, parties), content.values())
    }
}

impl Fingerprinted for VoiceCall {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            parties,
            content,
            plan,
            window,
        } = self;
        let mut values = message_values("voice", (reference, parties), content.values());
        values.extend(plan.values().map(|it| it.to_string()));
        values.push(window.get().to_string());
        values
    }
}

impl Fingerprinted for IvrCall {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            parties,
            flow,
            values: given,
            minutes,
            window,
        } = self;
        let values = given.iter().flat_map(|(name, value)| {
            let (name, value) = (name.as_str(), value.as_str());
            [name.to_owned(), value.to_owned()]
        });
        let values = std::iter::once(flow.to_string()).chain(values);
        let mut values = message_values("ivr", (reference, parties), values.collect());
        values.push(minutes.get().to_string());
        values.push(window.get().to_string());
        values
    }
}

impl Fingerprinted for Payout {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            bank,
            number,
            amount,
            narration,
            salary,
        } = self;
        let mut values = vec![
            "bank".into(),
            reference.to_string(),
            bank.to_string(),
            number.to_string(),
            money(*amount),
            narration.as_str().into(),
        ];
        values.extend(salary.iter().flat_map(|salary| salary_values(salary)));
        values
    }
}

fn salary_values(salary: &Salary) -> Vec<String> {
    let Salary {
        staff,
        period,
        pay_date,
        gross,
        deductions,
    } = salary;
    let own = [
        staff.as_str().into(),
        period.to_string(),
        pay_date.as_millis().to_string(),
        money(*gross),
        deductions.len().to_string(),
    ];
    let deductions = deductions.iter();
    let deductions = deductions.flat_map(|it| [it.kind.code().into(), money(it.amount)]);
    own.into_iter().chain(deductions).collect()
}

/// The values of a batch and of each of its payments.
fn of_batch(
    kind: &str,
    (reference, on_failure): (&MerchantReference, OnFailure),
    payments: &[impl Fingerprinted],
) -> Vec<String> {
    let own = [kind.into(), reference.to_string(), on_failure.code().into()];
    let payments = payments.iter().flat_map(Fingerprinted::values);
    own.into_iter().chain(payments).collect()
}

impl Fingerprinted for Payroll {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            on_failure,
            // Each salary has it.
            pay_day: _,
            salaries,
        } = self;
        of_batch("payroll", (reference, *on_failure), salaries)
    }
}

impl Fingerprinted for BulkMessages {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            on_failure,
            // Each message has them.
            sender: _,
            country: _,
            messages,
        } = self;
        of_batch("messages", (reference, *on_failure), messages)
    }
}

impl Fingerprinted for BulkPayout {
    fn reference(&self) -> &MerchantReference {
        &self.reference
    }

    fn values(&self) -> Vec<String> {
        let Self {
            reference,
            on_failure,
            payees,
        } = self;
        let mut values = vec![
            "bulk".into(),
            reference.to_string(),
            on_failure.code().into(),
        ];
        match payees {
            BulkPayees::Each(payouts) => {
                values.extend(payouts.iter().flat_map(Fingerprinted::values));
            }
            // Not its members: the group may have changed since the first request.
            BulkPayees::Group(GroupPayout {
                group,
                amount,
                narration,
            }) => values.extend([
                "group".into(),
                group.to_string(),
                money(*amount),
                narration.as_str().into(),
            ]),
        }
        values
    }
}

pub(crate) fn money(amount: Money) -> String {
    format!("{} {}", amount.currency().code(), amount.minor())
}

/// The meaning of a command: its values, each with its length before it, so that no two lists of
/// values read the same.
pub(crate) fn fingerprint(
    pepper: &Pepper,
    (command, quote): (&impl Fingerprinted, Option<&QuoteIdentifier>),
) -> RequestFingerprint {
    // Without a quote, a request means what it meant before there were any.
    let quote = quote.map(|quote| ["quote".to_owned(), quote.as_str().to_owned()]);
    let quote = quote.into_iter().flatten();
    let values = command.values().into_iter().chain(quote);
    let message = PrefixedParts::after(b"meaning").with_each(values);
    RequestFingerprint(pepper.first().authenticate(message.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::billing::Billing;
    use domain::country::CountryCode;
    use domain::money::Currency;
    use domain::phone::PhoneNumber;

    fn top_up(number: &str, amount: &str) -> TopUp {
        TopUp {
            reference: MerchantReference::parse("order-1").unwrap(),
            country: CountryCode::NIGERIA,
            number: PhoneNumber::parse(number).unwrap(),
            network: Some("MTN".to_owned()),
            named_network: None,
            amount: Money::parse(amount, Currency::Ngn).unwrap(),
            billing: Billing::Prepaid,
        }
    }

    #[test]
    fn spelling_does_not_change_the_meaning_but_every_value_does() {
        let pepper = Pepper::new([7; 32]);
        let of = |command: &TopUp| fingerprint(&pepper, (command, None));
        let first = top_up("+2348031234567", "1,234.00");
        assert_eq!(of(&first), of(&top_up("2348031234567", "1234")));
        assert_ne!(of(&first), of(&top_up("2348031234567", "1234.01")));
        assert_ne!(of(&first), of(&top_up("2348031234568", "1234")));
        assert_ne!(
            of(&first),
            of(&TopUp {
                billing: Billing::Postpaid,
                ..first.clone()
            })
        );
        let other_secret = Pepper::new([8; 32]);
        assert_ne!(of(&first), fingerprint(&other_secret, (&first, None)));
    }
}
