//! Messages: only an approved sender of the account sends, and what became of a message comes in
//! late, twice and out of order.

use super::support::request::{Worker, keyed, once};
use super::support::{BALANCE, World, merchant, seconds};
use application::{Gateway, Merchant, PaymentResult, ReplayMark, RequestError};
use domain::event::EventKind;
use domain::money::Currency;
use domain::order::Order;
use domain::provider::Fulfilment;
use domain::sms::{
    Content, DeliveryStatus, FieldNaming, Message, MessageKind, PARTS_MAX, SenderStatus,
};
use domain::transaction::{State, Transaction};
use testkit::builders::{
    account, credits, current_attempt, naira, phone, reference, sender, serial,
};

const SERIAL: &str = "100000000001";

pub(super) fn message(text: &str) -> Message {
    Message {
        reference: reference("order-1"),
        country: domain::country::CountryCode::NIGERIA,
        number: phone("2348031234567"),
        network: Some("MTN".to_owned()),
        sender: serial(SERIAL),
        kind: MessageKind::Text,
        content: Content::parse(text).unwrap(),
        variant: FieldNaming::A,
    }
}

pub(super) async fn ask(
    gateway: &Gateway,
    command: Message,
) -> Result<PaymentResult, RequestError> {
    gateway.send_message(&merchant("shop"), once(command)).await
}

/// A world where `shop` has the usual sender in a state.
pub(super) async fn world_with(status: SenderStatus) -> World {
    let world = World::new().await;
    let senders = &world.stores.senders;
    senders
        .register(&sender("shop", SERIAL, "CornerShop"))
        .await
        .unwrap();
    senders
        .decide(&serial(SERIAL), status, world.now())
        .await
        .unwrap();
    world
}

pub(super) fn statuses(tx: &Transaction) -> Vec<DeliveryStatus> {
    if let State::Successful(delivered) = &tx.state
        && let Fulfilment::Sms(dispatch) = &delivered.fulfilment
    {
        return dispatch.parts().to_vec();
    }
    panic!("{:?}", tx.state)
}

#[tokio::test]
async fn only_an_approved_sender_of_the_account_may_send() {
    for status in [SenderStatus::Pending, SenderStatus::Rejected] {
        let world = world_with(status).await;
        let answer = ask(&world.gateway(), message("Hello")).await;
        assert!(
            matches!(answer, Err(RequestError::SenderNotApproved)),
            "{answer:?}"
        );
        assert_eq!(world.wallet().await, (BALANCE, 0));
    }
    let world = world_with(SenderStatus::Approved).await;
    let gateway = world.gateway();
    let other = merchant("other");
    let others = gateway.send_message(&other, once(message("Hello"))).await;
    assert!(
        matches!(others, Err(RequestError::SenderUnknown)),
        "{others:?}"
    );
    let sent = ask(&gateway, message("Hello")).await.unwrap();
    let Order::Sms(order) = &sent.transaction.order else {
        panic!("{:?}", sent.transaction.order);
    };
    assert_eq!(order.sender_name.as_str(), "CornerShop");
    assert_eq!(order.network, "MTN");
    world.is_right().await;
}

#[tokio::test]
async fn every_part_is_charged_and_more_than_the_most_are_not_sent() {
    let world = world_with(SenderStatus::Approved).await;
    let gateway = world.gateway();
    let two = ask(&gateway, message(&"a".repeat(161))).await.unwrap();
    assert_eq!(two.transaction.quote.price, naira("8.00"));
    let most = 153 * usize::from(PARTS_MAX);
    let longer = Message {
        reference: reference("order-2"),
        ..message(&"a".repeat(most + 1))
    };
    let longer = ask(&gateway, longer).await;
    assert!(
        matches!(longer, Err(RequestError::MessageTooLong)),
        "{longer:?}"
    );
}

#[tokio::test]
async fn an_account_billed_in_credits_spends_credits_and_nothing_else() {
    let world = world_with(SenderStatus::Approved).await;
    let gateway = world.gateway();
    let shop = Merchant {
        account: account("shop").messages_in_credits().build(),
        ..merchant("shop")
    };
    let send = |under: &str| {
        let command = Message {
            reference: reference(under),
            ..message("Hello")
        };
        gateway.send_message(&shop, once(command))
    };
    let broke = send("order-1").await;
    let reported =
        matches!(broke, Err(RequestError::InsufficientFunds(price)) if price == credits("1.00"));
    assert!(reported, "{broke:?}");
    world.stores.has_credits("shop", "pay-in-1", "2.50").await;
    let paid = send("order-1").await.unwrap();
    assert_eq!(paid.transaction.quote.price, credits("1.00"));
    assert_eq!(
        world.stores.balances_in("shop", Currency::Crd).await,
        (150, 0)
    );
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn both_sets_of_names_mean_the_same_message() {
    let world = world_with(SenderStatus::Approved).await;
    let (gateway, shop) = (world.gateway(), merchant("shop"));
    let first = gateway.send_message(&shop, keyed(message("Hello"), "key-1"));
    let first = first.await.unwrap();
    let same = Message {
        variant: FieldNaming::B,
        ..message("Hello")
    };
    let again = gateway
        .send_message(&shop, keyed(same, "key-1"))
        .await
        .unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.transaction.number, first.transaction.number);
    let other = gateway
        .send_message(&shop, keyed(message("Hello!"), "key-1"))
        .await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
}

#[tokio::test]
async fn receipts_come_late_twice_and_out_of_order_and_only_go_forward() {
    let world = world_with(SenderStatus::Approved).await;
    let gateway = world.gateway();
    let worker = Worker::ready(&gateway).await;
    let sent = ask(&gateway, message(&"a".repeat(161))).await.unwrap();
    let number = sent.transaction.clone();
    assert_eq!(statuses(&number), [DeliveryStatus::Submitted; 2]);
    let attempt = number.provider_reference(current_attempt(&number));
    let reported = [
        [DeliveryStatus::Submitted, DeliveryStatus::Delivered],
        [DeliveryStatus::Buffered, DeliveryStatus::Submitted],
        [DeliveryStatus::Delivered, DeliveryStatus::Delivered],
        [DeliveryStatus::Delivered, DeliveryStatus::Delivered],
        [DeliveryStatus::Expired, DeliveryStatus::Buffered],
    ];
    for parts in reported {
        world.provider.observe(&attempt, &parts);
        world.pass(seconds(2)).await;
    }
    worker.stop().await;
    let stored = world.stored("order-1").await;
    assert_eq!(statuses(&stored), [DeliveryStatus::Delivered; 2]);
    let kinds = world.events(&stored).await;
    let reported = kinds
        .iter()
        .filter(|kind| **kind == EventKind::MessageStatus);
    assert_eq!(reported.count(), 3, "{kinds:?}");
    world.is_right().await;
}
