//! Laws of incoming messages. One of another account must never be found.

use super::setup::Stores;
use crate::builders::{account_id, at, incoming_message, phone, sender, serial};
use domain::account::AccountId;
use domain::environment::Environment;
use domain::messaging::{
    Conversation, IncomingContent, IncomingMessage, IncomingMessagesQuery, MessageChannel,
    MessageUrl, ProviderMessageId,
};
use domain::provider::ProviderId;
use domain::sms::{SenderName, SenderStatus};
use domain::statement::Sort;
use domain::time::Timestamp;
use ports::incoming_messages::{IncomingMessagesPage, IncomingRecording};

const ALL: IncomingMessagesQuery = IncomingMessagesQuery {
    channel: None,
    number: None,
    offset: 0,
    length: 100,
    sort: Sort::Descending,
};

async fn record(stores: &Stores, message: &IncomingMessage) -> IncomingRecording {
    let recorded = stores.incoming.record_incoming(message).await;
    recorded.expect("record a message")
}

async fn is_there(stores: &Stores, message: &IncomingMessage) -> bool {
    let (provider, id) = (&message.provider, &message.received.id);
    let is_there = stores.incoming.has_incoming(provider, id).await;
    is_there.expect("look for a message")
}

async fn has_recorded(stores: &Stores, account: &str, numbers: impl IntoIterator<Item = u64>) {
    for n in numbers {
        let done = record(stores, &incoming_message(account, n)).await;
        assert_eq!(done, IncomingRecording::Recorded);
    }
}

async fn page(
    stores: &Stores,
    account: &str,
    query: &IncomingMessagesQuery,
) -> IncomingMessagesPage {
    let account = account_id(account);
    let page = stores.incoming.incoming_messages(&account, query).await;
    page.expect("list messages")
}

async fn numbers(stores: &Stores, account: &str, query: IncomingMessagesQuery) -> (Vec<u64>, u64) {
    let page = page(stores, account, &query).await;
    let numbers = page.messages.iter().map(|it| it.id.get());
    (numbers.collect(), page.found)
}

/// A file that was sent in reply, by `WhatsApp`.
fn file(account: &str, n: u64) -> IncomingMessage {
    let channel = MessageChannel::Whatsapp;
    let media = MessageUrl::parse("https://media.example/1.jpg").ok();
    let mut message = incoming_message(account, n);
    message.reply_to = Some(crate::builders::reference("order-1"));
    message.received.channel = channel;
    message.received.number = phone("2348031234568");
    message.received.content =
        IncomingContent::new(channel, Some("é \"quoted\" \\ \n"), media).expect("a content");
    message
}

/// It reads back as it was recorded, and each account has its own.
pub async fn an_incoming_message_reads_back_and_is_its_accounts_alone(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "1.00").await;
    }
    let first = incoming_message("shop", 1);
    let second = file("shop", 2);
    // Of another account, under the same number.
    let mut others = incoming_message("other", 1);
    others.received.id = ProviderMessageId::parse("in-other").expect("a name");
    for message in [&first, &second, &others] {
        assert_eq!(record(stores, message).await, IncomingRecording::Recorded);
    }
    let own = page(stores, "shop", &ALL).await;
    assert_eq!((own.total, own.found), (2, 2));
    assert_eq!(own.messages, [second, first]);
    assert_eq!(page(stores, "other", &ALL).await.messages, [others]);
    let none = IncomingMessagesPage::default();
    assert_eq!(page(stores, "third", &ALL).await, none);
}

/// What a provider calls a message is recorded once, for whichever account; another provider may
/// call one the same.
pub async fn an_incoming_message_is_recorded_once_for_its_provider(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "1.00").await;
    }
    let first = incoming_message("shop", 1);
    assert!(!is_there(stores, &first).await);
    assert_eq!(record(stores, &first).await, IncomingRecording::Recorded);
    assert!(is_there(stores, &first).await);
    assert!(!is_there(stores, &incoming_message("shop", 2)).await);
    assert_eq!(record(stores, &first).await, IncomingRecording::Repeated);
    for (account, n) in [("shop", 7), ("other", 7), ("other", 1)] {
        let again = IncomingMessage {
            received: first.received.clone(),
            ..incoming_message(account, n)
        };
        assert_eq!(record(stores, &again).await, IncomingRecording::Repeated);
    }
    let taken = IncomingMessage {
        id: first.id,
        ..incoming_message("shop", 2)
    };
    assert_eq!(record(stores, &taken).await, IncomingRecording::NumberTaken);
    let elsewhere = IncomingMessage {
        provider: ProviderId::parse("far").expect("a provider"),
        received: first.received.clone(),
        ..incoming_message("shop", 2)
    };
    assert!(!is_there(stores, &elsewhere).await);
    assert_eq!(
        record(stores, &elsewhere).await,
        IncomingRecording::Recorded
    );
    assert_eq!(page(stores, "shop", &ALL).await.total, 2);
    assert_eq!(page(stores, "other", &ALL).await.total, 0);
}

/// However many record it at once, one does.
pub async fn an_incoming_message_that_comes_twice_at_once_is_recorded_once(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 1..=8 {
        let (stores, mut message) = (stores.clone(), incoming_message("shop", n));
        message.received = incoming_message("shop", 1).received;
        tasks.spawn(async move { record(&stores, &message).await });
    }
    let results = tasks.join_all().await;
    let recorded = results
        .iter()
        .filter(|it| **it == IncomingRecording::Recorded);
    assert_eq!(recorded.count(), 1, "{results:?}");
    assert_eq!(page(stores, "shop", &ALL).await.total, 1);
}

/// A part of them is asked for by channel, number and place, from either end.
pub async fn incoming_messages_are_found_by_channel_and_number(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    has_recorded(stores, "shop", [1, 2, 3]).await;
    for n in [4, 5] {
        record(stores, &file("shop", n)).await;
    }
    let of_channel = |channel| IncomingMessagesQuery {
        channel: Some(channel),
        ..ALL
    };
    let sms = of_channel(MessageChannel::Sms);
    assert_eq!(
        numbers(stores, "shop", sms.clone()).await,
        (vec![3, 2, 1], 3)
    );
    let files = of_channel(MessageChannel::Whatsapp);
    assert_eq!(numbers(stores, "shop", files).await, (vec![5, 4], 2));
    let part = IncomingMessagesQuery {
        offset: 1,
        length: 1,
        sort: Sort::Ascending,
        ..sms.clone()
    };
    assert_eq!(numbers(stores, "shop", part).await, (vec![2], 3));
    let of_number = |number| IncomingMessagesQuery {
        number: Some(phone(number)),
        ..ALL
    };
    let second = of_number("2348031234568");
    assert_eq!(numbers(stores, "shop", second).await, (vec![5, 4], 2));
    let neither = IncomingMessagesQuery {
        number: Some(phone("2348031234568")),
        ..sms
    };
    assert_eq!(numbers(stores, "shop", neither).await, (vec![], 0));
}

/// The last message of a conversation is by the moment its provider received it, and of that
/// conversation alone.
pub async fn the_last_message_of_a_conversation_is_known(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "1.00").await;
    }
    let (shop, other) = (account_id("shop"), account_id("other"));
    let (number, sender) = (phone("2348031234567"), name("Name0001"));
    let conversation = Conversation {
        channel: MessageChannel::Sms,
        number: &number,
        sender: &sender,
    };
    assert_eq!(last(stores, &shop, conversation).await, None);
    has_recorded(stores, "shop", [5, 9]).await;
    // Recorded last, and received before.
    let late = IncomingMessage {
        recorded_at: at(20),
        ..incoming_message("shop", 7)
    };
    record(stores, &late).await;
    assert_eq!(last(stores, &shop, conversation).await, Some(at(9)));
    assert_eq!(last(stores, &other, conversation).await, None);
    let (elsewhere, under) = (phone("2348031234568"), name("Name0002"));
    for other in [
        Conversation {
            channel: MessageChannel::Whatsapp,
            ..conversation
        },
        Conversation {
            number: &elsewhere,
            ..conversation
        },
        Conversation {
            sender: &under,
            ..conversation
        },
    ] {
        assert_eq!(last(stores, &shop, other).await, None);
    }
}

/// What is old goes, the oldest first; of what is beyond what is kept, that of each account.
pub async fn incoming_messages_are_forgotten_once_they_are_old_or_too_many(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "1.00").await;
    }
    has_recorded(stores, "shop", 1..=9).await;
    has_recorded(stores, "other", [50]).await;
    let forget = async |second, most| {
        let forgotten = stores.retention.forget_incoming(at(second), most).await;
        forgotten.expect("forget messages")
    };
    // A message is recorded a second after it was received.
    assert_eq!(forget(2, 9).await, 0);
    assert_eq!(forget(6, 3).await, 3);
    assert_eq!(numbers(stores, "shop", ALL).await.0, [9, 8, 7, 6, 5, 4]);
    assert_eq!(forget(6, 3).await, 1);
    let excess = async |kept, most| {
        let forgotten = stores.retention.forget_excess_incoming(kept, most).await;
        forgotten.expect("forget messages")
    };
    assert_eq!(excess(5, 9).await, 0);
    assert_eq!(excess(2, 2).await, 2);
    assert_eq!(excess(2, 2).await, 1);
    assert_eq!(excess(2, 2).await, 0);
    assert_eq!(numbers(stores, "shop", ALL).await, (vec![9, 8], 2));
    assert_eq!(page(stores, "other", &ALL).await.total, 1);
}

/// Only approved senders count, of accounts of the environment, in whatever case.
pub async fn approved_senders_are_found_by_their_name(stores: &Stores) {
    for id in ["shop", "kiosk"] {
        stores.has_account(id, "1.00").await;
    }
    let under = async |text: &str, environment| {
        let found = stores
            .senders
            .approved_under(&name(text), environment)
            .await;
        let found = found.expect("find senders");
        let accounts = found.into_iter().map(|it| it.account.to_string());
        accounts.collect::<Vec<_>>()
    };
    let [first, second] = ["100000000001", "100000000002"];
    for (account, serial) in [("shop", first), ("kiosk", second)] {
        let sender = sender(account, serial, "MyBank");
        let registered = stores.senders.register(&sender).await;
        registered.expect("register a sender");
    }
    assert!(under("MyBank", Environment::Test).await.is_empty());
    let decide = async |text, status| {
        let decided = stores.senders.decide(&serial(text), status, at(1)).await;
        assert!(decided.expect("decide about a sender"));
    };
    decide(first, SenderStatus::Approved).await;
    assert_eq!(under("mybank", Environment::Test).await, ["shop"]);
    assert!(under("MyBank", Environment::Live).await.is_empty());
    assert!(under("MyBan", Environment::Test).await.is_empty());
    decide(second, SenderStatus::Approved).await;
    assert_eq!(under("MYBANK", Environment::Test).await.len(), 2);
    decide(first, SenderStatus::Rejected).await;
    assert_eq!(under("MyBank", Environment::Test).await, ["kiosk"]);
}

fn name(text: &str) -> SenderName {
    SenderName::parse(text).expect("a sender name")
}

async fn last(
    stores: &Stores,
    account: &AccountId,
    conversation: Conversation<'_>,
) -> Option<Timestamp> {
    let last = stores.incoming.last_incoming(account, conversation).await;
    last.expect("look for the last message")
}
