//! What is sent, and what is not.

use crate::bench::{VtpassBench, cable_order, open};
use crate::fake_record::Fate;
use domain::billing::Billing;
use domain::order::{Order, Service};
use domain::provider::SubmitOutcome;
use ports::provider::Provider;
use provider_vtpass::ConfirmRefusals;
use serde_json::{Value, json};
use testkit::attempt::of_submit;
use testkit::builders::{
    airtime, cabletv_topup, electricity, internet, phone, plan_code, provider_code,
};
use testkit::permit::FixedPermit;

async fn bench() -> VtpassBench {
    VtpassBench::with(ConfirmRefusals::Yes).await
}

/// What arrives for an order.
async fn sent(order: Order) -> Value {
    let bench = bench().await;
    assert!(bench.provider.serves(&order), "{order:?}");
    let sent = bench.attempt("shop.order-7.1", order);
    let permit = FixedPermit::granted();
    let outcome = bench.provider.submit(&sent, &permit).await.outcome;
    assert!(!matches!(outcome, SubmitOutcome::NotSent), "{outcome:?}");
    assert_eq!(permit.asked(), 1);
    let seen = bench.fake.book().seen.clone();
    let [seen] = seen.as_slice() else {
        panic!("sent more than once: {seen:?}");
    };
    assert_eq!(seen.path, "pay");
    let mut body = seen.body.clone();
    let id = body.as_object_mut().unwrap().remove("request_id").unwrap();
    let id = id.as_str().unwrap();
    assert_eq!((id.len(), id), (32, sent.reference.as_str()));
    // Attempts of tests are recorded at ten o'clock in Lagos.
    assert!(id.starts_with("202601151000"), "{id}");
    body
}

fn with<T>(order: Order, change: impl FnOnce(&mut Order) -> T) -> Order {
    let mut order = order;
    change(&mut order);
    order
}

fn topup(provider: &str) -> Order {
    with(cabletv_topup().to("7012345678").order(), |order| {
        if let Order::CableTv(order) = order {
            order.provider = provider_code(provider);
        }
    })
}

#[tokio::test]
async fn each_family_is_sent_as_its_page_says() {
    let body = sent(airtime().to("2348031234567").order()).await;
    let expected = json!({"serviceID": "mtn", "amount": 1000.0, "phone": "08031234567"});
    assert_eq!(body, expected);

    let data = with(internet().to("2348031234567").order(), |order| {
        if let Order::Internet(order) = order {
            (order.provider, order.plan) = (provider_code("301"), plan_code("30109"));
        }
    });
    let expected = json!({"serviceID": "mtn-data", "amount": 1200.0, "phone": "08031234567",
                          "billersCode": "08031234567", "variation_code": "mtn-2gb-1500"});
    assert_eq!(sent(data).await, expected);

    let expected = json!({"serviceID": "gotv", "amount": 5800.0, "phone": "08035550001",
                          "billersCode": "7012345678", "variation_code": "gotv-jolli",
                          "subscription_type": "change"});
    assert_eq!(sent(cable_order("7012345678")).await, expected);

    let expected = json!({"serviceID": "dstv", "amount": 2500.0, "phone": "08035550001",
                          "billersCode": "7012345678", "subscription_type": "renew"});
    assert_eq!(sent(topup("201")).await, expected);

    for billing in [Billing::Prepaid, Billing::Postpaid] {
        let order = with(electricity().order(), |order| {
            if let Order::Electricity(order) = order {
                order.meter.billing = billing;
            }
        });
        let expected = json!({"serviceID": "abuja-electric", "amount": 5000.0,
                              "phone": "08035550001", "billersCode": "04123456789",
                              "variation_code": billing.code()});
        assert_eq!(sent(order).await, expected);
    }
}

#[tokio::test]
async fn the_telephone_of_the_customer_is_sent_where_it_is_one_of_nigeria() {
    for (given, sent_as) in [
        ("2348031234567", "08031234567"),
        ("233241234567", "08035550001"),
    ] {
        let given = Some(phone(given));
        let card = with(cable_order("7012345678"), |order| {
            if let Order::CableTv(order) = order {
                order.customer_phone.clone_from(&given);
            }
        });
        let meter = with(electricity().order(), |order| {
            if let Order::Electricity(order) = order {
                order.customer_phone = given;
            }
        });
        assert_eq!(sent(card).await["phone"], sent_as);
        assert_eq!(sent(meter).await["phone"], sent_as);
    }
}

#[tokio::test]
async fn what_cannot_be_bought_is_not_served_and_never_sent() {
    let bench = bench().await;
    let changed = |order: Order, change: fn(&mut Order)| with(order, change);
    let refused = [
        airtime().to("233241234567").order(),
        changed(airtime().order(), |order| {
            if let Order::Airtime(order) = order {
                order.billing = Billing::Postpaid;
            }
        }),
        changed(airtime().order(), |order| {
            if let Order::Airtime(order) = order {
                order.network_code = "smile".into();
            }
        }),
        // Its plan is not mapped, nor is its provider known.
        internet().order(),
        changed(cable_order("7012345678"), |order| {
            if let Order::CableTv(order) = order {
                order.subscription.as_mut().unwrap().duration = 2;
            }
        }),
        changed(cable_order("7012345678"), |order| {
            if let Order::CableTv(order) = order {
                order.subscription.as_mut().unwrap().plan = plan_code("20206");
            }
        }),
        topup("203"),
        topup("299"),
    ];
    for order in refused {
        assert!(!bench.provider.serves(&order), "{order:?}");
        let sent = bench.attempt("shop.order-7.1", order);
        let permit = FixedPermit::granted();
        let outcome = bench.provider.submit(&sent, &permit).await.outcome;
        assert_eq!(outcome, SubmitOutcome::NotSent);
    }
    assert!(bench.fake.book().seen.is_empty());
}

#[tokio::test]
async fn wrong_keys_are_the_accounts_fault_and_are_not_shown() {
    let bench = bench().await;
    let stranger = open(bench.fake.port, "SK_of_another", ConfirmRefusals::Yes);
    assert!(!format!("{stranger:?}").contains("SK_of_another"));
    let order = bench.order_with(Service::Airtime, Fate::Delivered).await;
    let sent = bench.attempt("shop.order-7.1", order);
    let submitted = stranger.submit(&sent, &FixedPermit::granted()).await;
    assert_eq!(of_submit(&submitted.outcome), "declined Account");
}

#[tokio::test]
async fn where_the_provider_is_not_there_nothing_was_sent() {
    let bench = bench().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let away = open(port, "SK", ConfirmRefusals::Yes);
    let order = bench.order_with(Service::Airtime, Fate::Delivered).await;
    let sent = bench.attempt("shop.order-7.1", order);
    let permit = FixedPermit::granted();
    let submitted = away.submit(&sent, &permit).await;
    assert_eq!(
        (submitted.outcome, permit.asked()),
        (SubmitOutcome::NotSent, 0)
    );
}
