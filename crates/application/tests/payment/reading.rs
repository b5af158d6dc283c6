//! Reports, balances and statements: a merchant sees its own and nothing else.

use super::support::fault_injector::InjectedFault;
use super::support::request::{buy, pay};
use super::support::{BALANCE, World, merchant};
use application::RequestError;
use domain::money::Currency;
use domain::order::Service;
use domain::statement::{Direction, Sort, StatementQuery};
use testkit::builders::{account_id, credits, naira, reference};

#[tokio::test]
async fn a_report_is_found_by_its_owner_under_its_family_only() {
    let world = World::new().await;
    let gateway = world.gateway();
    let paid = buy(&gateway, "order-1").await.unwrap();
    let (shop, other) = (merchant("shop"), merchant("other"));
    let under = reference("order-1");
    let mine = gateway
        .report(&shop, Service::Airtime, &under)
        .await
        .unwrap();
    assert_eq!(mine, Some(paid.transaction.clone()));
    let family = gateway.report(&shop, Service::Electricity, &under).await;
    assert_eq!(family.unwrap(), None);
    let foreign = gateway.report(&other, Service::Airtime, &under).await;
    assert_eq!(foreign.unwrap(), None);
    let any = gateway.under_reference(&account_id("shop"), &under).await;
    assert_eq!(any.unwrap(), Some(paid.transaction));
}

#[tokio::test]
async fn balance_and_statement_show_the_money_moving() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    buy(&gateway, "order-1").await.unwrap();
    pay(&gateway, "order-2").await.unwrap();
    let wallets = gateway.balance(&shop).await.unwrap();
    let seen: Vec<_> = wallets.iter().map(|it| (it.available, it.held)).collect();
    let spent = naira("4,180.00");
    let expected = [(spent, naira("0.00")), (credits("0.00"), credits("0.00"))];
    assert_eq!(seen, expected);
    let query = StatementQuery {
        currency: Currency::Ngn,
        offset: 0,
        length: 10,
        sort: Sort::Descending,
        reference: None,
        direction: None,
    };
    let page = gateway.statement(&shop, &query).await.unwrap();
    let seen: Vec<_> = page
        .entries
        .iter()
        .map(|it| (it.direction, it.amount.minor()))
        .collect();
    let expected = [
        (Direction::Debit, 485_000),
        (Direction::Debit, 97_000),
        (Direction::Credit, BALANCE),
    ];
    assert_eq!(seen, expected);
    let stranger = merchant("nobody");
    assert_eq!(gateway.balance(&stranger).await.unwrap(), []);
    assert_eq!(gateway.statement(&stranger, &query).await.unwrap().total, 0);
}

#[tokio::test]
async fn a_store_that_fails_is_an_error_and_never_an_empty_answer() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    buy(&gateway, "order-1").await.unwrap();
    world.faults.inject_at(1, InjectedFault::RequestLost);
    let under = reference("order-1");
    let report = gateway.report(&shop, Service::Airtime, &under).await;
    assert!(matches!(report, Err(RequestError::Store(_))));
    world.faults.inject_at(1, InjectedFault::ResponseLost);
    assert!(matches!(
        gateway.balance(&shop).await,
        Err(RequestError::Store(_))
    ));
}
