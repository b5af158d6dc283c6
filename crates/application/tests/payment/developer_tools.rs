//! Payments with an outcome of choice: they are payments as any other, of test accounts alone.

use super::support::request::once;
use super::support::{BALANCE, World, merchant};
use application::RequestError;
use application::developer_tools::{SimulatedPurchase, SimulationRefusal};
use domain::environment::Environment;
use domain::order::Order;
use domain::sandbox::TestNumber;
use testkit::builders::{naira, reference};

fn asked(under: &str, outcome: Option<TestNumber>) -> SimulatedPurchase {
    SimulatedPurchase {
        reference: reference(under),
        outcome,
        amount: None,
    }
}

#[tokio::test]
async fn a_simulated_payment_is_bought_once_for_a_number_that_forces_its_outcome() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let wanted = asked("order-1", Some(TestNumber::Declined));
    let paid = gateway.simulate(&shop, once(wanted.clone())).await.unwrap();
    let Order::Airtime(order) = &paid.transaction.order else {
        panic!("{:?}", paid.transaction.order);
    };
    assert_eq!(
        TestNumber::of(order.number.digits()),
        Some(TestNumber::Declined)
    );
    assert_eq!(order.amount, naira("100.00"));
    let again = gateway.simulate(&shop, once(wanted)).await;
    assert!(
        matches!(
            again,
            Err(SimulationRefusal::Payment(
                RequestError::ReferenceTaken { .. }
            ))
        ),
        "{again:?}"
    );
}

#[tokio::test]
async fn nothing_is_bought_for_a_live_account() {
    let world = World::new().await;
    let mut live = merchant("shop");
    live.account.environment = Environment::Live;
    let refused = world
        .gateway()
        .simulate(&live, once(asked("order-1", None)))
        .await;
    assert!(
        matches!(refused, Err(SimulationRefusal::LiveAccount)),
        "{refused:?}"
    );
    assert_eq!(world.wallet().await, (BALANCE, 0));
}
