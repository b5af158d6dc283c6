//! Requests as merchants make them: answered, waited for, or given up.

use super::merchant;
use application::recovery::Recovery;
use application::{Gateway, PaymentResult, Purchase, RequestError};
use domain::airtime::TopUp;
use domain::billing::Billing;
use domain::country::CountryCode;
use domain::electricity::{DiscoCode, MeterNumber, MeterPayment, MeterQuery};
use domain::idempotency::IdempotencyKey;
use domain::phone::PhoneNumber;
use testkit::builders::{naira, reference};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// MTN airtime worth 1,000.00 for 970.00.
pub(crate) fn top_up(under: &str) -> TopUp {
    TopUp {
        reference: reference(under),
        country: CountryCode::NIGERIA,
        number: PhoneNumber::parse("2348031234567").unwrap(),
        network: Some("MTN".to_owned()),
        named_network: None,
        amount: naira("1,000.00"),
        billing: Billing::Prepaid,
    }
}

/// A prepaid vend of 5,000.00 at company 101 for 4,850.00.
pub(crate) fn meter_payment(under: &str) -> MeterPayment {
    MeterPayment {
        reference: reference(under),
        meter: MeterQuery {
            disco: DiscoCode::parse("101").unwrap(),
            number: MeterNumber::parse("04123456789").unwrap(),
            billing: Billing::Prepaid,
        },
        amount: naira("5,000.00"),
        customer_phone: None,
    }
}

/// A command without a retry key.
pub(crate) fn once<C>(command: C) -> Purchase<C> {
    Purchase {
        quote: None,
        command,
        retry_key: None,
    }
}

/// A command under a retry key.
pub(crate) fn keyed<C>(command: C, key: &str) -> Purchase<C> {
    Purchase {
        quote: None,
        command,
        retry_key: Some(IdempotencyKey::parse(key).unwrap()),
    }
}

/// `shop` buys the usual top-up.
pub(crate) async fn buy(gateway: &Gateway, under: &str) -> Result<PaymentResult, RequestError> {
    let purchase = once(top_up(under));
    gateway.buy_airtime(&merchant("shop"), purchase).await
}

/// `shop` pays for the usual meter.
pub(crate) async fn pay(gateway: &Gateway, under: &str) -> Result<PaymentResult, RequestError> {
    let purchase = once(meter_payment(under));
    gateway.pay_electricity(&merchant("shop"), purchase).await
}

/// A request with a waiting client; dropping it hangs up.
#[derive(Debug)]
pub(crate) struct Request(JoinSet<Result<PaymentResult, RequestError>>);

impl Request {
    /// `shop` asks for the usual top-up.
    pub(crate) fn buy(gateway: &Gateway, under: &str) -> Self {
        Self::make(gateway, once(top_up(under)))
    }

    /// `shop` asks for a top-up.
    pub(crate) fn make(gateway: &Gateway, purchase: Purchase<TopUp>) -> Self {
        let gateway = gateway.clone();
        let mut waiting = JoinSet::new();
        waiting.spawn(async move { gateway.buy_airtime(&merchant("shop"), purchase).await });
        Self(waiting)
    }

    /// `shop` pays for the usual meter.
    pub(crate) fn pay(gateway: &Gateway, under: &str) -> Self {
        let (gateway, under) = (gateway.clone(), under.to_owned());
        let mut waiting = JoinSet::new();
        waiting.spawn(async move { pay(&gateway, &under).await });
        Self(waiting)
    }

    /// The answer, where there is one already.
    pub(crate) fn answered(&mut self) -> Option<Result<PaymentResult, RequestError>> {
        self.0.try_join_next().map(Result::unwrap)
    }

    /// The answer, which comes without moving the clock.
    pub(crate) async fn answer(mut self) -> Result<PaymentResult, RequestError> {
        self.0.join_next().await.unwrap().unwrap()
    }

    /// Stops waiting.
    pub(crate) fn hang_up(self) {
        drop(self);
    }
}

/// A recovery worker at work; dropping it kills the worker, not what it has started.
#[derive(Debug)]
pub(crate) struct Worker {
    running: JoinSet<()>,
    stop: CancellationToken,
}

impl Worker {
    pub(crate) fn start(gateway: &Gateway) -> Self {
        let stop = CancellationToken::new();
        let mut running = JoinSet::new();
        running.spawn(Recovery::new(gateway).run(stop.clone()));
        Self { running, stop }
    }

    /// A worker that has taken over what dead processes left before anything else begins.
    pub(crate) async fn ready(gateway: &Gateway) -> Self {
        let stop = CancellationToken::new();
        let mut recovery = Recovery::new(gateway);
        recovery.reclaim().await;
        let mut running = JoinSet::new();
        running.spawn(recovery.run(stop.clone()));
        Self { running, stop }
    }

    /// Stops it and waits until it has ended.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        self.running.join_next().await.unwrap().unwrap();
    }
}
