//! A purchase of any family, from the order to the opened transaction. Prices must come from
//! `domain::pricing`, never from sums done here.

mod amount;

use super::international::beneficiary;
use super::own_books::paid_to;
use super::products::payment_card;
use super::{START, account_id, number, provider_id, reference};
use domain::account::AccountIdentity;
use domain::bank::AccountNumber;
use domain::bank::charges::Charges;
use domain::bill::{BillNumber, BillOrder};
use domain::billing::Billing;
use domain::cabletv::SmartcardNumber;
use domain::change_set::{ChangeSet, Opening};
use domain::electricity::MeterNumber;
use domain::idempotency::{Idempotency, IdempotencyKey, RequestFingerprint};
use domain::money::{Currency, Money};
use domain::opening::Draft;
use domain::order::Order;
use domain::percent::Percent;
use domain::phone::PhoneNumber;
use domain::pricing::{Quote, Terms, quote, quote_own, quote_payout};
use domain::provider::ProviderId;
use domain::sms::{Content, Segments};
use domain::time::Timestamp;
use domain::transaction::{Approval, AttemptNumber, PreparedAttempt, Queued, Transaction};
use domain::user::Recipient;
use std::time::Duration;

/// How long after opening recovery may take a purchase over, unless said otherwise.
const TAKEOVER_AFTER: Duration = Duration::from_mins(1);

/// A purchase being described.
#[derive(Debug, Clone)]
#[must_use]
pub struct PurchaseBuilder {
    draft: DraftParts,
    pricing: Pricing,
    opened_at: Timestamp,
    due_at: Option<Timestamp>,
    queued: Option<Queued>,
    approval: Option<Approval>,
}

/// How it is priced.
#[derive(Debug, Clone, Copy)]
enum Pricing {
    Terms(Terms),
    Charges(Charges),
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

impl PurchaseBuilder {
    pub(super) fn of_product(order: Order) -> Self {
        let currency = order.amount().currency();
        Self {
            draft: DraftParts {
                number: 1,
                account: "shop".into(),
                reference: "order-1".into(),
                idempotency: None,
                order,
                provider: provider_id("sandbox"),
            },
            pricing: Pricing::Terms(Terms {
                commission: Percent::parse("3").expect("a percentage"),
                discount: Percent::parse("4").expect("a percentage"),
                fee: Money::zero(currency),
            }),
            opened_at: START,
            due_at: None,
            queued: None,
            approval: None,
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

    /// The account that buys.
    pub fn by(mut self, account: &str) -> Self {
        account.clone_into(&mut self.draft.account);
        self
    }

    /// The merchant's reference.
    pub fn reference(mut self, reference: &str) -> Self {
        reference.clone_into(&mut self.draft.reference);
        self
    }

    /// Under an idempotency key; `meaning` distinguishes requests under one key.
    pub fn keyed(mut self, key: &str, meaning: u8) -> Self {
        self.draft.idempotency = Some(Idempotency {
            key: IdempotencyKey::parse(key).expect("an idempotency key"),
            fingerprint: RequestFingerprint([meaning; 32]),
        });
        self
    }

    /// Sold by another provider than `sandbox`.
    pub fn sold_by(mut self, provider: &str) -> Self {
        self.draft.provider = provider_id(provider);
        self
    }

    /// The value bought, such as `1,234.00`, in the currency of the order.
    pub fn worth(self, amount: &str) -> Self {
        let amount = self.sum(amount);
        self.worth_money(amount)
    }

    /// The value bought.
    pub fn worth_money(mut self, worth: Money) -> Self {
        *self.amount_mut() = worth;
        self
    }

    /// Paid for in credits instead of money, so many of them.
    pub fn in_credits(mut self) -> Self {
        let credits = |money: Money| Money::from_minor(money.minor(), Currency::Crd);
        let amount = self.amount_mut();
        *amount = credits(*amount);
        self.pricing = match self.pricing {
            Pricing::Terms(terms) => Pricing::Terms(Terms {
                fee: credits(terms.fee),
                ..terms
            }),
            Pricing::Charges(charges) => Pricing::Charges(Charges {
                charge: credits(charges.charge),
                vat: credits(charges.vat),
                levy: credits(charges.levy),
            }),
        };
        self
    }

    /// The phone number, meter, card or account it is for.
    pub fn to(mut self, target: &str) -> Self {
        let phone = || PhoneNumber::parse(target).expect("a phone number");
        match &mut self.draft.order {
            Order::Airtime(order) => order.number = phone(),
            Order::CableTv(order) => {
                order.number = SmartcardNumber::parse(target).expect("a smartcard number");
            }
            Order::Electricity(order) => {
                order.meter.number = MeterNumber::parse(target).expect("a meter number");
            }
            Order::Internet(order) => order.number = phone(),
            Order::Sms(order) => order.number = phone(),
            Order::Whatsapp(order) => order.parties.number = phone(),
            Order::Rcs(order) => order.parties.number = phone(),
            Order::Voice(order) => order.parties.number = phone(),
            Order::Ivr(order) => order.parties.number = phone(),
            Order::Bank(order) => {
                order.account.number = AccountNumber::parse(target).expect("an account number");
            }
            Order::Hlr(order) => order.number = phone(),
            Order::MobileMoney(order) => order.number = phone(),
            Order::Card(order) => {
                let card = payment_card(target);
                order.token = card.token;
                order.last = card.last;
            }
            Order::International(order) => order.beneficiary = beneficiary(target),
            Order::Wallet(_) => panic!("an exchange is for no number"),
            Order::User(order) => {
                order.identity = AccountIdentity::Id(account_id(target));
                order.recipient = paid_to(target);
            }
            Order::Bill(order) => {
                order.number = BillNumber::restore(target).expect("a number");
            }
            Order::Lookup(order) => target.clone_into(&mut order.number),
        }
        self
    }

    /// For an address that no account has, until a moment.
    pub(super) fn unclaimed_by(mut self, identity: AccountIdentity, until: Timestamp) -> Self {
        let Order::User(order) = &mut self.draft.order else {
            panic!("only another account is paid so");
        };
        order.identity = identity;
        order.recipient = Recipient::Unclaimed { until };
        self
    }

    /// For a line or meter billed afterwards; nothing else is billed so or so.
    pub fn postpaid(mut self) -> Self {
        match &mut self.draft.order {
            Order::Airtime(order) => order.billing = Billing::Postpaid,
            Order::Electricity(order) => order.meter.billing = Billing::Postpaid,
            Order::Bill(order) => {
                order.billing = Billing::Postpaid;
                order.has_token = false;
            }
            other @ (Order::CableTv(_)
            | Order::Internet(_)
            | Order::Sms(_)
            | Order::Whatsapp(_)
            | Order::Rcs(_)
            | Order::Voice(_)
            | Order::Ivr(_)
            | Order::Bank(_)
            | Order::MobileMoney(_)
            | Order::Card(_)
            | Order::International(_)
            | Order::Wallet(_)
            | Order::User(_)
            | Order::Hlr(_)
            | Order::Lookup(_)) => panic!("{} is not billed afterwards", other.service().code()),
        }
        self
    }

    /// A message that says something else, at the same price for each of its parts.
    pub fn saying(mut self, text: &str) -> Self {
        let Order::Sms(order) = &mut self.draft.order else {
            panic!("only a message says something");
        };
        let part = order.amount.minor() / i64::from(order.segments.parts);
        order.content = Content::parse(text).expect("a content");
        order.segments = Segments::of(order.kind, &order.content).expect("a message of few parts");
        let amount = part * i64::from(order.segments.parts);
        order.amount = Money::from_minor(amount, order.amount.currency());
        self
    }

    /// A bill that differs in something.
    pub fn with_bill(mut self, change: impl FnOnce(&mut BillOrder)) -> Self {
        let Order::Bill(order) = &mut self.draft.order else {
            panic!("only a bill is changed so");
        };
        change(order);
        self
    }

    /// An amount credited to a card instead of a plan.
    pub(super) fn without_plan(mut self) -> Self {
        if let Order::CableTv(order) = &mut self.draft.order {
            order.subscription = None;
        }
        self
    }

    /// With another commission, discount (both in percent) and fee.
    pub fn terms(mut self, commission: &str, discount: &str, fee: &str) -> Self {
        self.pricing = Pricing::Terms(Terms {
            commission: Percent::parse(commission).expect("a percentage"),
            discount: Percent::parse(discount).expect("a percentage"),
            fee: self.sum(fee),
        });
        self
    }

    /// With charge, VAT and levy on top, as a payout is priced.
    pub fn charged(mut self, charges: Charges) -> Self {
        self.pricing = Pricing::Charges(charges);
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

    /// Opened in the queue, to be sent between two moments.
    pub fn queued(mut self, send_from: Timestamp, expires_at: Timestamp) -> Self {
        self.queued = Some(Queued {
            send_from,
            expires_at,
        });
        self
    }

    /// Waiting in the queue for an approval.
    pub fn awaiting(mut self, approval: Approval) -> Self {
        self.approval = Some(approval);
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
        let quoted = match &self.pricing {
            _ if !order.service().has_provider() => quote_own(order.amount(), rule),
            Pricing::Terms(terms) => quote(order.amount(), terms, rule),
            Pricing::Charges(charges) => quote_payout(order.amount(), charges, rule),
        };
        quoted.expect("terms that leave a price")
    }

    /// An amount in the currency of the order.
    fn sum(&self, text: &str) -> Money {
        let currency = self.draft.order.amount().currency();
        Money::parse(text, currency).expect("an amount such as 1,234.00")
    }

    /// What the transaction is opened from.
    pub fn draft(self) -> Draft {
        let quote = self.quote();
        let parts = self.draft;
        let name = (account_id(&parts.account), reference(&parts.reference));
        let first = AttemptNumber::FIRST;
        Draft {
            number: number(parts.number),
            prepared: PreparedAttempt::derived(parts.provider, (&name.0, &name.1), first),
            route: None,
            account: name.0,
            reference: name.1,
            idempotency: parts.idempotency,
            order: parts.order,
            quote,
        }
    }

    /// The step that opens it.
    pub fn opening(self) -> Opening {
        let opened_at = self.opened_at;
        let due_at = self.due_at.unwrap_or(opened_at.plus(TAKEOVER_AFTER));
        match (self.queued, self.approval) {
            (Some(queued), Some(approval)) => {
                self.draft().queue(opened_at, queued).awaiting(approval)
            }
            (Some(queued), None) => self.draft().queue(opened_at, queued),
            (None, _) => self.draft().open(opened_at, due_at),
        }
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
