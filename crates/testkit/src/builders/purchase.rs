//! Purchases of airtime and electricity, from the order to the opened transaction. Prices must come
//! from `domain::pricing`, never from sums done here.

use super::{START, account_id, naira, number, provider_id, reference};
use domain::airtime::AirtimeOrder;
use domain::billing::Billing;
use domain::change_set::{ChangeSet, Opening};
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, ElectricityOrder, Meter, MeterNumber, Tariff};
use domain::idempotency::{Idempotency, IdempotencyKey, Meaning};
use domain::money::Money;
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Quote, Terms, quote};
use domain::provider::{ProviderId, Submission};
use domain::reference::ProviderReference;
use domain::time::Timestamp;
use domain::transaction::{Draft, Transaction};
use rust_decimal::Decimal;
use std::time::Duration;

/// How long after opening recovery may take a purchase over, unless said otherwise.
const TAKEOVER_AFTER: Duration = Duration::from_mins(1);

/// MTN airtime worth 1,000.00 for 970.00, ordered by `shop` under `order-1` with number 1.
pub fn airtime() -> Purchase {
    let number = PhoneNumber::parse("2348031234567").expect("a phone number");
    Purchase::of_product(Order::Airtime(AirtimeOrder {
        number,
        country: CountryCode::NIGERIA,
        network_code: "mtn".into(),
        network_brandname: "MTN".into(),
        billing: Billing::Prepaid,
        amount: naira("1,000.00"),
    }))
}

/// A prepaid vend of 5,000.00 at Ikeja Electric for 4,850.00, ordered by `shop` under `order-1`
/// with number 1.
pub fn electricity() -> Purchase {
    Purchase::of_product(Order::Electricity(ElectricityOrder {
        meter: meter("04123456789"),
        amount: naira("5,000.00"),
    }))
}

/// A prepaid meter of Ikeja Electric on band A.
pub fn meter(number: &str) -> Meter {
    Meter {
        disco: DiscoCode::parse("101").expect("a company identity"),
        brandname: "Ikeja Electric".into(),
        number: MeterNumber::parse(number).expect("a meter number"),
        owner: "Adaeze Okonkwo".into(),
        address: "14 Bode Thomas Street, Surulere, Lagos".into(),
        billing: Billing::Prepaid,
        debt: naira("1,250.50"),
        minimum: naira("500.00"),
        maximum: naira("500,000.00"),
        last_purchase: Some(START.minus(Duration::from_hours(24 * 30))),
        last_paid: Some(naira("3,000.00")),
        tariff: Tariff {
            band: "A".into(),
            rate: Decimal::new(20_950, 2),
        },
    }
}

/// The first attempt of an order as it goes to a provider, under a reference of its own.
pub fn submission(under: &str, order: Order) -> Submission {
    Submission {
        reference: ProviderReference::from_echo(under),
        order,
        deadline: Duration::from_secs(30),
    }
}

/// A purchase being described.
#[derive(Debug, Clone)]
#[must_use]
pub struct Purchase {
    draft: DraftParts,
    terms: Terms,
    opened_at: Timestamp,
    due_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
struct DraftParts {
    number: u64,
    account: String,
    reference: String,
    idempotency: Option<Idempotency>,
    order: Order,
    provider: ProviderId,
}

impl Purchase {
    fn of_product(order: Order) -> Self {
        Self {
            draft: DraftParts {
                number: 1,
                account: "shop".into(),
                reference: "order-1".into(),
                idempotency: None,
                order,
                provider: provider_id("sandbox"),
            },
            terms: Terms {
                commission: Percent::parse("3").expect("a percentage"),
                discount: Percent::parse("4").expect("a percentage"),
                fee: naira("0.00"),
            },
            opened_at: START,
            due_at: None,
        }
    }

    /// The `n`th purchase: its own number and the reference `order-n`.
    pub fn nth(self, n: u64) -> Self {
        self.number(n).reference(&format!("order-{n}"))
    }

    /// The transaction number.
    pub fn number(mut self, number: u64) -> Self {
        self.draft.number = number;
        self
    }

    /// Who buys.
    pub fn by(mut self, account: &str) -> Self {
        account.clone_into(&mut self.draft.account);
        self
    }

    /// The merchant's reference.
    pub fn reference(mut self, reference: &str) -> Self {
        reference.clone_into(&mut self.draft.reference);
        self
    }

    /// Under an idempotency key, with a meaning told apart by `meaning`.
    pub fn keyed(mut self, key: &str, meaning: u8) -> Self {
        self.draft.idempotency = Some(Idempotency {
            key: IdempotencyKey::parse(key).expect("an idempotency key"),
            meaning: Meaning([meaning; 32]),
        });
        self
    }

    /// Sold by another provider than `sandbox`.
    pub fn sold_by(mut self, provider: &str) -> Self {
        self.draft.provider = provider_id(provider);
        self
    }

    /// The value bought, such as `1,234.00`.
    pub fn worth(self, amount: &str) -> Self {
        self.worth_money(naira(amount))
    }

    /// The value bought.
    pub fn worth_money(mut self, worth: Money) -> Self {
        match &mut self.draft.order {
            Order::Airtime(order) => order.amount = worth,
            Order::Electricity(order) => order.amount = worth,
        }
        self
    }

    /// The phone number or meter it is for.
    pub fn to(mut self, target: &str) -> Self {
        match &mut self.draft.order {
            Order::Airtime(order) => {
                order.number = PhoneNumber::parse(target).expect("a phone number");
            }
            Order::Electricity(order) => {
                order.meter.number = MeterNumber::parse(target).expect("a meter number");
            }
        }
        self
    }

    /// For a line or meter billed afterwards.
    pub fn postpaid(mut self) -> Self {
        match &mut self.draft.order {
            Order::Airtime(order) => order.billing = Billing::Postpaid,
            Order::Electricity(order) => order.meter.billing = Billing::Postpaid,
        }
        self
    }

    /// With another commission, discount (both in percent) and fee.
    pub fn terms(mut self, commission: &str, discount: &str, fee: &str) -> Self {
        self.terms = Terms {
            commission: Percent::parse(commission).expect("a percentage"),
            discount: Percent::parse(discount).expect("a percentage"),
            fee: naira(fee),
        };
        self
    }

    /// Worth `amount` and priced at exactly that: no commission, no fee.
    pub fn priced(self, amount: &str) -> Self {
        self.worth(amount).terms("0", "0", "0.00")
    }

    /// Opened at another moment than [`START`].
    pub fn opened_at(mut self, at: Timestamp) -> Self {
        self.opened_at = at;
        self
    }

    /// Taken over by recovery from this moment on.
    pub fn due_at(mut self, at: Timestamp) -> Self {
        self.due_at = Some(at);
        self
    }

    /// What is bought.
    pub fn order(&self) -> Order {
        self.draft.order.clone()
    }

    /// What it costs.
    pub fn quote(&self) -> Quote {
        let order = &self.draft.order;
        let rule = format!("catalogue:{}.test", order.service().code());
        quote(order.amount(), &self.terms, rule).expect("terms that leave a price")
    }

    /// What the transaction is opened from.
    pub fn draft(self) -> Draft {
        let quote = self.quote();
        let parts = self.draft;
        Draft {
            number: number(parts.number),
            account: account_id(&parts.account),
            reference: reference(&parts.reference),
            idempotency: parts.idempotency,
            order: parts.order,
            quote,
            provider: parts.provider,
        }
    }

    /// The step that opens it.
    pub fn opening(self) -> Opening {
        let opened_at = self.opened_at;
        let due_at = self.due_at.unwrap_or(opened_at.plus(TAKEOVER_AFTER));
        self.draft().open(opened_at, due_at)
    }

    /// The opened transaction.
    pub fn transaction(self) -> Transaction {
        self.opening().transaction
    }

    /// The step that opens it, ready to commit.
    pub fn change(self) -> ChangeSet {
        ChangeSet::Open(Box::new(self.opening()))
    }
}
