//! Checkout sessions: whose pages are opened by which address, and how a session is cancelled.

use super::support::{PEPPER, World, merchant};
use application::collections::{CHECKOUT_PAGES, CollectionError, CollectionSort, SeenCollection};
use application::credentials::Pepper;
use application::{Gateway, Parts};
use domain::bank::GroupLabel;
use domain::collection::{
    CheckoutStatus, Collection, CollectionKind, CollectionStep, NewCheckout, NewCollection,
    RedirectUrl,
};
use domain::environment::Environment;
use testkit::builders::{account_id, checkout, naira, reference};
use tokio::task::JoinSet;

fn session(under: &str) -> NewCollection {
    NewCollection::Checkout(NewCheckout {
        reference: reference(under),
        amount: naira("5,000.00"),
        customer: GroupLabel::parse("Ada Obi").unwrap(),
        email: None,
        phone: None,
        redirect: RedirectUrl::parse("https://shop.example/").unwrap(),
        items: Vec::new(),
        expires_at: None,
    })
}

async fn opened(gateway: &Gateway, under: &str) -> Collection {
    let shop = merchant("shop");
    let opened = gateway.collect(&shop, session(under), None);
    opened.await.unwrap().state.collection
}

/// The name of the page of a session.
fn name(gateway: &Gateway, collection: &Collection) -> String {
    let page = gateway.checkout_links(collection).page;
    let at = page.find(CHECKOUT_PAGES).unwrap() + CHECKOUT_PAGES.len();
    page[at..].to_owned()
}

#[tokio::test]
async fn a_page_is_opened_by_its_own_address_alone() {
    let world = World::new().await;
    let gateway = world.gateway();
    let one = opened(&gateway, "order-1").await;
    let two = opened(&gateway, "order-2").await;
    let own = name(&gateway, &one);
    let page = gateway.checkout_page(&own).await.unwrap().unwrap();
    assert_eq!(page.state.collection, one);
    let back = page.back.unwrap();
    assert!(back.starts_with(&format!(
        "https://shop.example/?chkIdentifier={}&",
        one.number
    )));
    let other = name(&gateway, &two);
    let (digits, marks) = other.split_at(12);
    for forged in [
        String::new(),
        own[..12].to_owned(),
        own[..own.len() - 1].to_owned(),
        format!("{own}0"),
        format!("{}{marks}", &own[..12]),
        format!("{digits}{}", &own[12..]),
    ] {
        assert_eq!(
            gateway.checkout_page(&forged).await.unwrap(),
            None,
            "{forged}"
        );
    }
    let pepper = |parts: &mut Parts| parts.pepper = Pepper::new([9; 32]);
    let elsewhere = world.gateway_with(pepper);
    assert_eq!(elsewhere.payee_of_page(&own), None);
    // A rotation changes neither the page nor the secret that the shop has.
    let rotated = |parts: &mut Parts| parts.pepper = PEPPER.rotated(2, [9; 32]);
    let later = world.gateway_with(rotated);
    assert_eq!(later.checkout_links(&one), gateway.checkout_links(&one));
    let page = later.checkout_page(&own).await.unwrap().unwrap();
    assert_eq!(page.back, Some(back));
    assert_ne!(
        elsewhere.checkout_links(&one).secret,
        gateway.checkout_links(&one).secret
    );
    assert_ne!(
        gateway.checkout_links(&two).secret,
        gateway.checkout_links(&one).secret
    );
}

/// After a restore the digits that a payer typed may be drawn for another session.
#[tokio::test]
async fn an_old_address_opens_no_session_that_has_its_digits_now() {
    let world = World::new().await;
    let gateway = world.gateway();
    let lost = checkout("shop", 7);
    let old = name(&gateway, &lost);
    let drawn = Collection {
        number: domain::reference::TransactionNumber::try_new(8).unwrap(),
        ..lost
    };
    let stored = world
        .stores
        .collections
        .create_collection(&drawn)
        .await
        .unwrap();
    assert_eq!(stored, ports::collections::CollectionCreation::Done);
    assert!(gateway.payee_of_page(&old).is_some());
    assert_eq!(gateway.checkout_page(&old).await.unwrap(), None);
    let new = name(&gateway, &drawn);
    assert!(gateway.checkout_page(&new).await.unwrap().is_some());
}

#[tokio::test]
async fn a_page_that_is_sent_many_times_pays_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let own = name(&gateway, &opened(&gateway, "order-1").await);
    let mut clicks = JoinSet::new();
    for _ in 0..20 {
        let (gateway, own) = (gateway.clone(), own.clone());
        clicks.spawn(async move {
            let page = gateway.checkout_page(&own).await.unwrap().unwrap();
            let paid = gateway.pay_on_page(&page, (naira("1,000.00"), 0)).await;
            paid.unwrap().0.session
        });
    }
    let sessions = clicks.join_all().await;
    assert!(sessions.iter().all(|it| *it == sessions[0]));
    let page = gateway.checkout_page(&own).await.unwrap().unwrap();
    assert_eq!(page.state.paid.total, naira("1,000.00"));
    let mut live = page;
    live.account.environment = Environment::Live;
    let refused = gateway.pay_on_page(&live, (naira("1,000.00"), 1)).await;
    assert!(matches!(refused, Err(CollectionError::NotSimulated)));
}

#[tokio::test]
async fn a_session_that_is_paid_or_over_is_not_cancelled() {
    let world = World::new().await;
    let gateway = world.gateway();
    let shop = merchant("shop");
    let seen = SeenCollection::default();
    let one = opened(&gateway, "order-1").await;
    let page = name(&gateway, &one);
    let page = gateway.checkout_page(&page).await.unwrap().unwrap();
    gateway
        .pay_on_page(&page, (naira("5,000.00"), 0))
        .await
        .unwrap();
    let refused = gateway
        .cancel_checkout(&shop, &reference("order-1"), &seen)
        .await;
    assert!(
        matches!(
            refused,
            Err(CollectionError::CheckoutOver(CheckoutStatus::Paid))
        ),
        "{refused:?}"
    );
    let two = opened(&gateway, "order-2").await;
    let cancelled = gateway
        .cancel_checkout(&shop, &reference("order-2"), &seen)
        .await;
    assert_eq!(
        cancelled.unwrap().checkout_status(gateway.now()),
        CheckoutStatus::Cancelled
    );
    // A step of another family does not open it again.
    let kinds = [CollectionSort::Account, CollectionSort::Invoice];
    let step = (two.number, CollectionStep::Resume);
    let resumed = gateway
        .change_collection(&shop, step, (&seen, &kinds))
        .await;
    assert!(
        matches!(resumed, Err(CollectionError::Unknown)),
        "{resumed:?}"
    );
    let unknown = gateway
        .cancel_checkout(&shop, &reference("order-3"), &seen)
        .await;
    assert!(matches!(unknown, Err(CollectionError::ReferenceUnknown(_))));
    assert!(matches!(two.kind, CollectionKind::Checkout(_)));
    assert_eq!(two.account, account_id("shop"));
}
