//! The order of one run, as its merchant asks for it. It must say what the stored order says, and
//! nothing that was looked up: each run is looked up and priced by itself.

use crate::airtime::{AirtimeOrder, TopUp};
use crate::bank::{Payout, PayoutOrder};
use crate::bill::{BillCategory, BillOrder, BillPayment, BillQuery, RequestedBill};
use crate::cabletv::{CableOrder, RequestedPlan, SmartcardQuery, Subscribe};
use crate::card::CardTransfer;
use crate::electricity::{ElectricityOrder, MeterPayment, MeterQuery};
use crate::internet::BundlePurchase;
use crate::mobile_money::{MobileMoneyOrder, MobileMoneyTransfer};
use crate::order::{Order, Service};
use crate::reference::MerchantReference;
use crate::sms::{Message, MessageOrder};

/// What a subscription may buy: the families whose payment is ordered by one request and stands for
/// itself. A transfer abroad goes by a quote of minutes, a lookup is read and not paid for, and the
/// transfers of the gateway's own books are the merchant's to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecurringService {
    /// Top-ups.
    Airtime,
    /// Cable TV.
    CableTv,
    /// Meters.
    Electricity,
    /// Data bundles.
    Internet,
    /// Text messages.
    Sms,
    /// Payouts to bank accounts.
    Bank,
    /// Transfers to mobile money wallets.
    MobileMoney,
    /// Transfers to cards.
    Card,
    /// Bills of a category.
    Bill(BillCategory),
}

impl RecurringService {
    /// Every one, in the order of the interface.
    pub fn all() -> impl Iterator<Item = Self> {
        Service::all().filter_map(Self::of)
    }

    /// That of a family; `None` where it has none.
    pub const fn of(service: Service) -> Option<Self> {
        Some(match service {
            Service::Airtime => Self::Airtime,
            Service::CableTv => Self::CableTv,
            Service::Electricity => Self::Electricity,
            Service::Internet => Self::Internet,
            Service::Sms => Self::Sms,
            Service::Bank => Self::Bank,
            Service::MobileMoney => Self::MobileMoney,
            Service::Card => Self::Card,
            Service::Bill(category) => Self::Bill(category),
            Service::Whatsapp
            | Service::Rcs
            | Service::Voice
            | Service::Ivr
            | Service::Hlr
            | Service::Lookup(_)
            | Service::International
            | Service::Wallet
            | Service::User => return None,
        })
    }

    /// The family.
    pub const fn service(self) -> Service {
        match self {
            Self::Airtime => Service::Airtime,
            Self::CableTv => Service::CableTv,
            Self::Electricity => Service::Electricity,
            Self::Internet => Service::Internet,
            Self::Sms => Service::Sms,
            Self::Bank => Service::Bank,
            Self::MobileMoney => Service::MobileMoney,
            Self::Card => Service::Card,
            Self::Bill(category) => Service::Bill(category),
        }
    }
}

/// The order of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecurringOrder {
    /// A top-up.
    Airtime(TopUp),
    /// A plan of cable TV, or an amount for a card.
    CableTv(Subscribe),
    /// An amount for a meter.
    Electricity(MeterPayment),
    /// A data bundle.
    Internet(BundlePurchase),
    /// A text message.
    Sms(Message),
    /// A payout to a bank account.
    Bank(Payout),
    /// A transfer to a mobile money wallet.
    MobileMoney(MobileMoneyTransfer),
    /// A transfer to a card.
    Card(CardTransfer),
    /// A bill.
    Bill(BillPayment),
}

impl RecurringOrder {
    /// The reference that it is asked for under.
    pub const fn reference(&self) -> &MerchantReference {
        match self {
            Self::Airtime(it) => &it.reference,
            Self::CableTv(it) => &it.reference,
            Self::Electricity(it) => &it.reference,
            Self::Internet(it) => &it.reference,
            Self::Sms(it) => &it.reference,
            Self::Bank(it) => &it.reference,
            Self::MobileMoney(it) => &it.reference,
            Self::Card(it) => &it.reference,
            Self::Bill(it) => &it.reference,
        }
    }

    /// What buys a stored order again, under a reference; `None` for a family without subscriptions
    /// and for a salary, which has its own day. The network of a top-up is named, since it is part
    /// of what was ordered; which of a customer's bills is open changes, so none is named.
    pub fn again(order: &Order, reference: MerchantReference) -> Option<Self> {
        Some(match order {
            Order::Airtime(order) => Self::Airtime(top_up(order, reference)),
            Order::CableTv(order) => Self::CableTv(subscribe(order, reference)),
            Order::Electricity(order) => Self::Electricity(meter_payment(order, reference)),
            Order::Internet(order) => Self::Internet(BundlePurchase {
                reference,
                plan: order.plan.clone(),
                number: order.number.clone(),
            }),
            Order::Sms(order) => Self::Sms(message(order, reference)),
            Order::Bank(order) if order.salary.is_none() => Self::Bank(payout(order, reference)),
            Order::MobileMoney(order) => Self::MobileMoney(to_wallet(order, reference)),
            Order::Card(order) => Self::Card(CardTransfer {
                reference,
                token: order.token.clone(),
                amount: order.amount,
                narration: order.narration.clone(),
            }),
            Order::Bill(order) => Self::Bill(bill_payment(order, reference)),
            Order::Bank(_)
            | Order::Whatsapp(_)
            | Order::Rcs(_)
            | Order::Voice(_)
            | Order::Ivr(_)
            | Order::Hlr(_)
            | Order::Lookup(_)
            | Order::International(_)
            | Order::Wallet(_)
            | Order::User(_) => return None,
        })
    }

    /// What it buys.
    pub const fn service(&self) -> RecurringService {
        match self {
            Self::Airtime(_) => RecurringService::Airtime,
            Self::CableTv(_) => RecurringService::CableTv,
            Self::Electricity(_) => RecurringService::Electricity,
            Self::Internet(_) => RecurringService::Internet,
            Self::Sms(_) => RecurringService::Sms,
            Self::Bank(_) => RecurringService::Bank,
            Self::MobileMoney(_) => RecurringService::MobileMoney,
            Self::Card(_) => RecurringService::Card,
            Self::Bill(it) => RecurringService::Bill(it.customer.category),
        }
    }
}

fn top_up(order: &AirtimeOrder, reference: MerchantReference) -> TopUp {
    TopUp {
        reference,
        country: order.country,
        number: order.number.clone(),
        network: Some(order.network_brandname.clone()),
        named_network: Some(order.network_brandname.clone()),
        amount: order.amount,
        billing: order.billing,
    }
}

fn subscribe(order: &CableOrder, reference: MerchantReference) -> Subscribe {
    let amount = RequestedPlan::TopUp(order.amount);
    let plan = order.subscription.as_ref();
    Subscribe {
        reference,
        card: SmartcardQuery {
            provider: order.provider.clone(),
            number: order.number.clone(),
        },
        requested: plan.map_or(amount, |plan| RequestedPlan::Plan {
            plan: plan.plan.clone(),
            duration: plan.duration,
        }),
        customer_phone: order.customer_phone.clone(),
    }
}

fn meter_payment(order: &ElectricityOrder, reference: MerchantReference) -> MeterPayment {
    MeterPayment {
        reference,
        meter: MeterQuery {
            disco: order.meter.disco.clone(),
            number: order.meter.number.clone(),
            billing: order.meter.billing,
        },
        amount: order.amount,
        customer_phone: order.customer_phone.clone(),
    }
}

fn message(order: &MessageOrder, reference: MerchantReference) -> Message {
    Message {
        reference,
        country: order.country,
        number: order.number.clone(),
        network: Some(order.network.clone()).filter(|it| !it.is_empty()),
        sender: order.sender.clone(),
        kind: order.kind,
        content: order.content.clone(),
        variant: order.variant,
    }
}

fn payout(order: &PayoutOrder, reference: MerchantReference) -> Payout {
    Payout {
        reference,
        bank: order.account.bank.clone(),
        number: order.account.number.clone(),
        amount: order.amount,
        narration: order.narration.clone(),
        salary: None,
    }
}

fn to_wallet(order: &MobileMoneyOrder, reference: MerchantReference) -> MobileMoneyTransfer {
    MobileMoneyTransfer {
        reference,
        country: order.country,
        operator: order.operator.clone(),
        number: order.number.clone(),
        amount: order.amount,
        narration: order.narration.clone(),
    }
}

fn bill_payment(order: &BillOrder, reference: MerchantReference) -> BillPayment {
    let amount = RequestedBill::Amount(order.amount);
    let plan = order.plan.as_ref();
    BillPayment {
        reference,
        customer: BillQuery {
            category: order.category,
            biller: order.biller.clone(),
            number: order.number.clone(),
            fields: order.fields.clone(),
        },
        requested: plan.map_or(amount, |plan| RequestedBill::Plan {
            plan: plan.code.clone(),
            duration: plan.duration,
        }),
        bill_reference: None,
        customer_phone: order.customer_phone.clone(),
    }
}
