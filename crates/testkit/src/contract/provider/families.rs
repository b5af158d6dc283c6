//! Laws of what single families deliver: vends and messages. A law that holds for every family
//! must not be stated here.

use super::changes::{all_changes, reported_for};
use super::{ProviderBehaviour, ProviderUnderTest, prepared, receipt, submit};
use crate::permit::FixedPermit;
use domain::billing::Billing;
use domain::electricity::Vend;
use domain::order::{Order, Service};
use domain::provider::{Fulfilment, QueryOutcome, Receipt, SubmitOutcome};
use domain::token::{TokenNumber, breakdown};

fn vend(outcome: SubmitOutcome) -> Vend {
    match receipt(outcome).fulfilment {
        Fulfilment::Electricity(vend) => vend,
        other @ (Fulfilment::Airtime
        | Fulfilment::CableTv
        | Fulfilment::Internet
        | Fulfilment::Sms(_)
        | Fulfilment::Whatsapp(_)
        | Fulfilment::Rcs(_)
        | Fulfilment::Voice(_)
        | Fulfilment::Ivr(_)
        | Fulfilment::Bank
        | Fulfilment::MobileMoney
        | Fulfilment::Card
        | Fulfilment::International(_)
        | Fulfilment::Bill(_)
        | Fulfilment::Hlr(_)
        | Fulfilment::Lookup(_)) => panic!("{other:?} is no vend"),
    }
}

/// 20 digits, and cost and units as the paid amount, the recovered debt and the tariff make them.
pub async fn a_finished_vend_carries_a_token_that_adds_up(bench: &impl ProviderUnderTest) {
    if !bench.services().contains(&Service::Electricity) {
        return;
    }
    let behaviour = (Service::Electricity, ProviderBehaviour::Delivers);
    let (sent, outcome) = submit(bench, behaviour, "token").await;
    let Order::Electricity(order) = sent.order else {
        panic!("asked for electricity: {:?}", sent.order);
    };
    assert_eq!(order.meter.billing, Billing::Prepaid);
    let vend = vend(outcome);
    let token = vend.token.expect("a finished prepaid vend has its token");
    let number = token
        .number
        .expect("a token has its number when it is made");
    assert_eq!(number.digits().len(), TokenNumber::DIGITS);
    assert_eq!(vend.debt, order.meter.debt);
    let recovered = vend.debt.zip(vend.outstanding);
    let recovered = recovered.map(|(debt, left)| debt.checked_sub(left).expect("one currency"));
    if let Some((recovered, rate)) = recovered.zip(order.meter.tariff.rate) {
        let parts = breakdown(order.amount, recovered, rate);
        let parts = parts.expect("recovered is within the amount");
        assert!(token.cost.is_none_or(|cost| cost == parts.cost));
        assert!(token.units.is_none_or(|units| units == parts.units));
    }
    assert!(!vend.receipt.is_empty());
}

/// A bill that is settled gives no energy to key in.
pub async fn a_postpaid_payment_carries_no_token(bench: &impl ProviderUnderTest) {
    if !bench.services().contains(&Service::Electricity) {
        return;
    }
    let order = bench
        .order(Service::Electricity, ProviderBehaviour::Delivers)
        .await;
    let Order::Electricity(mut order) = order else {
        panic!("asked for electricity: {order:?}");
    };
    order.meter.billing = Billing::Postpaid;
    let sent = prepared(bench, "shop.bill.1", Order::Electricity(order));
    let outcome = bench
        .provider()
        .submit(&sent, &FixedPermit::granted())
        .await
        .outcome;
    assert!(receipt(outcome.clone()).fulfilment.completes(&sent.order));
    assert_eq!(vend(outcome).token, None);
}

/// A network reports the status of a message in complete receipts. Merging them in any order gives
/// the same final status.
pub async fn the_delivery_status_of_a_message_is_reported(bench: &impl ProviderUnderTest) {
    for service in bench.services() {
        if matches!(service, Service::Sms | Service::Whatsapp | Service::Rcs) {
            is_reported(bench, service).await;
        }
    }
}

async fn is_reported(bench: &impl ProviderUnderTest, service: Service) {
    let reported = all_changes(bench, 0).await.next;
    let message = (service, ProviderBehaviour::Delivers);
    let (sent, outcome) = submit(bench, message, "way").await;
    let first = receipt(outcome).fulfilment;
    bench.let_time_pass().await;
    let received = reported_for(bench, &sent.reference, reported).await;
    assert!(
        !received.is_empty(),
        "nothing was reported of a message under way"
    );
    let receipts = received.into_iter().map(|finding| match finding {
        QueryOutcome::Delivered(receipt) => receipt,
        other @ (QueryOutcome::Declined(_)
        | QueryOutcome::Pending
        | QueryOutcome::NotFound
        | QueryOutcome::Reversed
        | QueryOutcome::Unknown) => panic!("a message on its way is with the network: {other:?}"),
    });
    let receipts: Vec<_> = receipts.collect();
    for receipt in &receipts {
        assert!(receipt.matches(&sent.reference, &sent.order), "{receipt:?}");
        assert!(receipt.fulfilment.completes(&sent.order), "{receipt:?}");
    }
    let known = |receipts: &mut dyn Iterator<Item = &Receipt>| {
        receipts.fold(first.clone(), |known, receipt| {
            known.after(&receipt.fulfilment).unwrap_or(known)
        })
    };
    for known in [
        known(&mut receipts.iter()),
        known(&mut receipts.iter().rev()),
    ] {
        let is_over = match (known.dispatch(), known.message_delivery()) {
            (Some(dispatch), _) => dispatch.overall().is_final(),
            (_, Some(delivery)) => delivery.status.is_on_device(),
            (None, None) => panic!("a message is a message: {known:?}"),
        };
        assert!(is_over, "{known:?}");
    }
}
