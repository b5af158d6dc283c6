//! The amount of an order, whatever its family.

use super::PurchaseBuilder;
use domain::money::Money;
use domain::order::Order;

impl PurchaseBuilder {
    /// The amount, to be changed.
    pub(super) fn amount_mut(&mut self) -> &mut Money {
        match &mut self.draft.order {
            Order::Airtime(order) => &mut order.amount,
            Order::CableTv(order) => &mut order.amount,
            Order::Electricity(order) => &mut order.amount,
            Order::Internet(order) => &mut order.amount,
            Order::Sms(order) => &mut order.amount,
            Order::Whatsapp(order) => &mut order.amount,
            Order::Rcs(order) => &mut order.amount,
            Order::Voice(order) => &mut order.amount,
            Order::Ivr(order) => &mut order.amount,
            Order::Bank(order) => &mut order.amount,
            Order::Hlr(order) => &mut order.amount,
            Order::MobileMoney(order) => &mut order.amount,
            Order::Card(order) => &mut order.amount,
            Order::International(order) => &mut order.source,
            Order::Wallet(order) => &mut order.amount,
            Order::User(order) => &mut order.amount,
            Order::Bill(order) => &mut order.amount,
            Order::Lookup(order) => &mut order.amount,
        }
    }
}
