//! Messages of people: each reaches the one account that it is certainly for, once; and a text is
//! refused where the person has not written lately.

use super::sms::{ask, message, world_with};
use super::support::request::{keyed, once};
use super::support::{World, attempt, merchant, minutes};
use application::RequestError;
use application::provider_callbacks::{CallbackRefused, CallbackResult, ProviderCallback};
use application::request_error::MessageRefusal;
use domain::messaging::{
    AskedParties, IncomingContent, IncomingMessage, IncomingMessagesQuery, MessageChannel,
    MessageText, ProviderMessageId, ReceivedMessage,
};
use domain::order::Service;
use domain::reference::ProviderReference;
use domain::sms::{SenderName, SenderStatus};
use domain::statement::Sort;
use domain::whatsapp::{
    TemplateLanguage, TemplateName, TemplateUse, WhatsappContent, WhatsappMessage,
};
use ports::callbacks::MessageReport;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;
use testkit::builders::{phone, provider_id, reference, sender, serial};

const SERIAL: &str = "100000000001";

pub(super) fn report(id: &str, to: &str) -> MessageReport {
    let channel = MessageChannel::Sms;
    MessageReport {
        message: ReceivedMessage {
            id: ProviderMessageId::parse(id).unwrap(),
            channel,
            number: phone("2348031234567"),
            sender: SenderName::parse(to).unwrap(),
            content: IncomingContent::new(channel, Some("Yes"), None).unwrap(),
            received_at: testkit::builders::START,
        },
        reference: None,
    }
}

async fn called(world: &World, report: MessageReport) -> CallbackResult {
    let place = world.provider.received(report);
    let callback = ProviderCallback {
        headers: &[("x-signature", b"right")],
        body: format!("message {place}").into_bytes().leak(),
        source: IpAddr::V4(Ipv4Addr::LOCALHOST),
        received_at: world.now(),
    };
    let provider = provider_id("sandbox");
    let taken = world.gateway().take_callback(&provider, &callback).await;
    taken.unwrap()
}

async fn is_taken(world: &World, report: MessageReport) {
    let taken = called(world, report).await;
    assert!(matches!(taken, CallbackResult::Taken(_)), "{taken:?}");
}

pub(super) async fn messages_of(world: &World, account: &str) -> Vec<IncomingMessage> {
    let query = IncomingMessagesQuery {
        channel: None,
        number: None,
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
    };
    let page = world
        .gateway()
        .incoming_messages(&merchant(account), &query)
        .await;
    page.unwrap().messages
}

async fn has_sender(world: &World, account: &str, number: &str, name: &str) {
    let senders = &world.stores.senders;
    senders
        .register(&sender(account, number, name))
        .await
        .unwrap();
    let approved = SenderStatus::Approved;
    senders
        .decide(&serial(number), approved, world.now())
        .await
        .unwrap();
}

#[tokio::test]
async fn a_message_is_of_the_one_account_with_the_sender() {
    let world = world_with(SenderStatus::Approved).await;
    has_sender(&world, "other", "100000000002", "OtherShop").await;
    is_taken(&world, report("in-1", "cornershop")).await;
    let messages = messages_of(&world, "shop").await;
    assert_eq!(messages.len(), 1);
    // The name as it was registered, so that a conversation has one.
    assert_eq!(messages[0].received.sender.as_str(), "CornerShop");
    assert_eq!(messages[0].reply_to, None);
    assert_eq!(messages_of(&world, "other").await, []);
}

#[tokio::test]
async fn a_message_that_comes_again_is_recorded_once() {
    let world = world_with(SenderStatus::Approved).await;
    for _ in 0..3 {
        is_taken(&world, report("in-1", "CornerShop")).await;
    }
    assert_eq!(messages_of(&world, "shop").await.len(), 1);
}

#[tokio::test]
async fn a_message_of_no_account_or_of_several_is_taken_and_recorded_for_none() {
    let world = world_with(SenderStatus::Approved).await;
    has_sender(&world, "other", "100000000002", "CornerShop").await;
    is_taken(&world, report("in-1", "CornerShop")).await;
    is_taken(&world, report("in-2", "Unregistrd")).await;
    for account in ["shop", "other"] {
        assert_eq!(messages_of(&world, account).await, [], "{account}");
    }
}

#[tokio::test]
async fn a_sender_that_is_not_approved_receives_nothing() {
    let world = world_with(SenderStatus::Pending).await;
    is_taken(&world, report("in-1", "CornerShop")).await;
    assert_eq!(messages_of(&world, "shop").await, []);
}

#[tokio::test]
async fn a_reply_is_of_the_account_whose_message_it_replies_to() {
    let world = world_with(SenderStatus::Approved).await;
    // By the name alone it would be uncertain.
    has_sender(&world, "other", "100000000002", "CornerShop").await;
    ask(&world.gateway(), message("Hi")).await.unwrap();
    let reply = |id, to| MessageReport {
        reference: Some(attempt("order-1", 1)),
        ..report(id, to)
    };
    is_taken(&world, reply("in-1", "CornerShop")).await;
    let messages = messages_of(&world, "shop").await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].reply_to, Some(reference("order-1")));
    assert_eq!(messages_of(&world, "other").await, []);
    // Sent to another name than the message was sent under: one of the two is wrong.
    has_sender(&world, "other", "100000000003", "OtherShop").await;
    is_taken(&world, reply("in-2", "OtherShop")).await;
    // A text message does not reply to one of another channel.
    let mut whatsapp = reply("in-3", "CornerShop");
    whatsapp.message.channel = MessageChannel::Whatsapp;
    is_taken(&world, whatsapp).await;
    assert_eq!(messages_of(&world, "shop").await.len(), 1);
    assert_eq!(messages_of(&world, "other").await, []);
}

#[tokio::test]
async fn a_reply_to_what_is_not_known_goes_by_its_sender() {
    let world = world_with(SenderStatus::Approved).await;
    for (id, unknown) in [("in-1", "shop.order-9.1"), ("in-2", "wire")] {
        let report = MessageReport {
            reference: Some(ProviderReference::from_echo(unknown)),
            ..report(id, "CornerShop")
        };
        is_taken(&world, report).await;
    }
    let messages = messages_of(&world, "shop").await;
    assert_eq!(messages.len(), 2);
    assert!(messages.iter().all(|it| it.reply_to.is_none()));
}

#[tokio::test]
async fn a_message_of_the_future_is_refused_and_one_by_a_fast_clock_is_of_now() {
    let world = world_with(SenderStatus::Approved).await;
    let mut ahead = report("in-1", "CornerShop");
    ahead.message.received_at = world.now().plus(minutes(1));
    is_taken(&world, ahead.clone()).await;
    let messages = messages_of(&world, "shop").await;
    assert_eq!(messages[0].received.received_at, messages[0].recorded_at);
    ahead.message.received_at = world.now().plus(minutes(6));
    let refused = called(&world, ahead).await;
    assert_eq!(
        refused,
        CallbackResult::Refused(CallbackRefused::Unreadable)
    );
}

#[tokio::test]
async fn a_message_that_may_have_been_forgotten_is_not_recorded_again() {
    let world = world_with(SenderStatus::Approved).await;
    let mut old = report("in-1", "CornerShop");
    old.message.received_at = world.now().minus(Duration::from_hours(90 * 24 + 1));
    is_taken(&world, old).await;
    assert_eq!(messages_of(&world, "shop").await, []);
}

fn whatsapp(reference_of: &str, content: WhatsappContent) -> WhatsappMessage {
    WhatsappMessage {
        reference: reference(reference_of),
        parties: AskedParties {
            country: domain::country::CountryCode::NIGERIA,
            number: phone("2348031234567"),
            network: Some("MTN".to_owned()),
            sender: serial(SERIAL),
        },
        content,
    }
}

fn text() -> WhatsappContent {
    WhatsappContent::Text(MessageText::parse("Hi", 10).unwrap())
}

fn template() -> WhatsappContent {
    WhatsappContent::Template(TemplateUse {
        name: TemplateName::parse("order_shipped").unwrap(),
        language: TemplateLanguage::parse("en").unwrap(),
        parameters: Vec::new(),
    })
}

async fn send(world: &World, under: &str, content: WhatsappContent) -> Result<(), RequestError> {
    let shop = merchant("shop");
    let sent = world
        .gateway()
        .send_whatsapp(&shop, once(whatsapp(under, content)))
        .await;
    sent.map(drop)
}

async fn writes(world: &World, id: &str, ago: Duration) {
    let mut report = report(id, "CornerShop");
    report.message.channel = MessageChannel::Whatsapp;
    report.message.received_at = world.now().minus(ago);
    is_taken(world, report).await;
}

#[tokio::test]
async fn a_text_under_a_name_of_two_accounts_is_never_refused() {
    let world = world_with(SenderStatus::Approved).await;
    has_sender(&world, "other", "100000000002", "CornerShop").await;
    world.provider.reports_messages(Service::Whatsapp);
    world.pass(minutes(24 * 60)).await;
    // What is written to either of them is recorded of neither.
    send(&world, "order-1", text()).await.unwrap();
}

#[tokio::test]
async fn a_reply_of_another_number_than_the_order_is_not_believed() {
    let world = world_with(SenderStatus::Approved).await;
    ask(&world.gateway(), message("Hi")).await.unwrap();
    let mut other = report("in-1", "CornerShop");
    other.reference = Some(attempt("order-1", 1));
    other.message.number = phone("2348031234568");
    is_taken(&world, other).await;
    assert_eq!(messages_of(&world, "shop").await, []);
}

#[tokio::test]
async fn a_text_is_sent_only_within_a_day_of_the_person_s_last_message() {
    let world = world_with(SenderStatus::Approved).await;
    // As long as the provider does not say what people write, it decides itself.
    send(&world, "order-1", text()).await.unwrap();
    world.provider.reports_messages(Service::Whatsapp);
    // What was written before the sender was approved was not recorded.
    send(&world, "order-1a", text()).await.unwrap();
    world.pass(minutes(24 * 60)).await;
    let before = world.wallet().await;
    let refused = send(&world, "order-2", text()).await;
    assert!(matches!(
        refused,
        Err(RequestError::Message(MessageRefusal::ConversationClosed))
    ));
    assert_eq!(world.wallet().await, before);
    send(&world, "order-3", template()).await.unwrap();
    // A text message opens no conversation of the other platform, nor does an old one.
    is_taken(&world, report("in-1", "CornerShop")).await;
    writes(&world, "in-2", Duration::from_hours(24)).await;
    let refused = send(&world, "order-4", text()).await;
    assert!(matches!(
        refused,
        Err(RequestError::Message(MessageRefusal::ConversationClosed))
    ));
    writes(&world, "in-3", minutes(24 * 60 - 1)).await;
    send(&world, "order-5", text()).await.unwrap();
    world.pass(minutes(1)).await;
    let refused = send(&world, "order-6", text()).await;
    assert!(matches!(
        refused,
        Err(RequestError::Message(MessageRefusal::ConversationClosed))
    ));
}

#[tokio::test]
async fn a_request_that_is_repeated_is_answered_as_it_was_though_the_day_is_over() {
    let world = world_with(SenderStatus::Approved).await;
    world.provider.reports_messages(Service::Whatsapp);
    writes(&world, "in-1", minutes(24 * 60 - 1)).await;
    let repeated = async || {
        let purchase = keyed(whatsapp("order-1", text()), "key-1");
        let (gateway, shop) = (world.gateway(), merchant("shop"));
        gateway.send_whatsapp(&shop, purchase).await.unwrap()
    };
    let first = repeated().await;
    world.pass(minutes(2)).await;
    assert_eq!(
        repeated().await.transaction.number,
        first.transaction.number
    );
}
