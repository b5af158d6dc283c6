//! The order of a run as its family's own purchase. It must take the way of every payment: nothing
//! here may look up, price or open anything by itself.

use crate::fingerprint::Fingerprinted;
use crate::gateway::{Gateway, Merchant};
use crate::payment::{PaymentResult, PricedOrder, Purchase};
use crate::request_error::RequestError;
use domain::idempotency::IdempotencyKey;
use domain::recurring::{NewRecurring, RecurringOrder};
use domain::reference::MerchantReference;

impl Gateway {
    /// Looks the order of a run up and prices it, as its payment would be.
    pub(super) async fn prepare_recurring(
        &self,
        merchant: &Merchant,
        order: &RecurringOrder,
    ) -> Result<PricedOrder, RequestError> {
        match order {
            RecurringOrder::Airtime(it) => self.prepared_top_up(merchant, it).await,
            RecurringOrder::CableTv(it) => self.prepare_cable(merchant, it).await,
            RecurringOrder::Electricity(it) => self.prepare_meter_payment(merchant, it).await,
            RecurringOrder::Internet(it) => self.prepare_bundle(merchant, it),
            RecurringOrder::Sms(it) => self.prepare_message(merchant, it).await,
            RecurringOrder::Bank(it) => self.prepare_payout(merchant, it).await,
            RecurringOrder::MobileMoney(it) => self.prepare_mobile_money(merchant, it).await,
            RecurringOrder::Card(it) => self.prepare_card(merchant, it).await,
            RecurringOrder::Bill(it) => self.prepare_bill(merchant, it).await,
        }
    }

    /// Pays the order of a run.
    pub(super) async fn pay_recurring(
        &self,
        merchant: &Merchant,
        order: RecurringOrder,
        key: IdempotencyKey,
    ) -> Result<PaymentResult, RequestError> {
        match order {
            RecurringOrder::Airtime(it) => self.buy_airtime(merchant, bought(it, key)).await,
            RecurringOrder::CableTv(it) => self.subscribe_cable(merchant, bought(it, key)).await,
            RecurringOrder::Electricity(it) => {
                self.pay_electricity(merchant, bought(it, key)).await
            }
            RecurringOrder::Internet(it) => self.buy_data(merchant, bought(it, key)).await,
            RecurringOrder::Sms(it) => self.send_message(merchant, bought(it, key)).await,
            RecurringOrder::Bank(it) => self.pay_out(merchant, bought(it, key)).await,
            RecurringOrder::MobileMoney(it) => {
                self.pay_mobile_money(merchant, bought(it, key)).await
            }
            RecurringOrder::Card(it) => self.pay_card(merchant, bought(it, key)).await,
            RecurringOrder::Bill(it) => self.pay_bill(merchant, bought(it, key)).await,
        }
    }
}

/// A run is charged the price of its day.
const fn bought<C>(command: C, key: IdempotencyKey) -> Purchase<C> {
    Purchase {
        command,
        retry_key: Some(key),
        quote: None,
    }
}

/// What one run is asked for.
pub(super) fn values(order: &RecurringOrder) -> Vec<String> {
    match order {
        RecurringOrder::Airtime(it) => it.values(),
        RecurringOrder::CableTv(it) => it.values(),
        RecurringOrder::Electricity(it) => it.values(),
        RecurringOrder::Internet(it) => it.values(),
        RecurringOrder::Sms(it) => it.values(),
        RecurringOrder::Bank(it) => it.values(),
        RecurringOrder::MobileMoney(it) => it.values(),
        RecurringOrder::Card(it) => it.values(),
        RecurringOrder::Bill(it) => it.values(),
    }
}

impl Fingerprinted for NewRecurring {
    fn reference(&self) -> &MerchantReference {
        self.order.reference()
    }

    fn values(&self) -> Vec<String> {
        let Self {
            order,
            schedule,
            on_failure,
        } = self;
        let own = [
            "subscription".into(),
            schedule.interval.code().into(),
            schedule.start.as_millis().to_string(),
            schedule.count.unwrap_or_default().to_string(),
            on_failure.code().into(),
        ];
        own.into_iter().chain(values(order)).collect()
    }
}
