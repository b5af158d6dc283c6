//! Messages of people: each is recorded once before it is acknowledged, whole, and for the sender
//! that its number stands for.

use crate::bench::SmppBench;
use crate::fake::{FakeSmsc, reply};
use domain::messaging::MessageText;
use provider_smpp::SmppSettings;
use rusmpp_core::pdus::owned::{DeliverSm, Pdu};
use rusmpp_core::tlvs::owned::MessageDeliveryRequestTlvValue as Field;
use rusmpp_core::types::owned::AnyOctetString;
use rusmpp_core::values::owned::MessagePayload;
use rusmpp_core::values::{MessageState, Ton};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::Semaphore;

const PERSON: &str = "2348031234567";
const SHORT_CODE: &str = "32811";

/// The SMSC is asked to repeat.
const LATER: u32 = 0x64;

fn numbers(settings: &mut SmppSettings) {
    settings.reply_numbers = "32811=CornerShop".parse().unwrap();
    settings.timers.parts = Duration::from_millis(300);
}

async fn started() -> SmppBench {
    SmppBench::with(numbers).await
}

/// Another process over the same store: it knows nothing but that.
async fn another(first: &SmppBench) -> SmppBench {
    let mut bench = SmppBench::unbound(FakeSmsc::start().await, numbers);
    bench.book = Arc::clone(&first.book);
    bench.attach();
    bench
        .eventually(|bench| !bench.fake.record().binds.is_empty())
        .await;
    bench
}

fn said(text: &str) -> DeliverSm {
    reply(PERSON, SHORT_CODE, text.as_bytes())
}

/// A part with a user data header.
fn part(reference: u8, (total, index): (u8, u8), text: &str) -> DeliverSm {
    let mut octets = vec![0x05, 0x00, 0x03, reference, total, index];
    octets.extend(text.as_bytes());
    let mut pdu = reply(PERSON, SHORT_CODE, &octets);
    pdu.esm_class = 0x40.into();
    pdu
}

async fn deliver(bench: &SmppBench, pdu: DeliverSm) -> u32 {
    bench.fake.deliver(Pdu::DeliverSm(pdu)).await
}

fn texts(bench: &SmppBench) -> Vec<String> {
    let messages = bench.book.messages.lock().unwrap();
    let texts = messages.iter().filter_map(|it| it.content.text());
    texts.map(MessageText::as_str).map(str::to_owned).collect()
}

/// Cuts the session, and waits for the next one.
async fn bound_again(bench: &SmppBench) {
    let binds = bench.fake.record().binds.len();
    bench.fake.cut().await;
    bench
        .eventually(|bench| bench.fake.record().binds.len() > binds)
        .await;
}

#[tokio::test]
async fn a_message_is_handed_over_for_the_sender_of_its_number() {
    let bench = started().await;
    assert_eq!(deliver(&bench, said("Yes")).await, 0);
    {
        let messages = bench.book.messages.lock().unwrap();
        let [message] = &messages[..] else {
            panic!("{messages:?}");
        };
        assert_eq!(message.number.digits(), PERSON);
        assert_eq!(message.sender.as_str(), "CornerShop");
        assert_eq!(message.channel.code(), "sms");
        assert_eq!(message.received_at, testkit::builders::START);
    }
    assert_eq!(texts(&bench), ["Yes"]);
}

#[tokio::test]
async fn words_are_read_in_their_alphabet_and_from_the_payload() {
    let bench = started().await;
    let mut pdu = reply(PERSON, SHORT_CODE, &[0x00, 0x1B, 0x65, 0x11]);
    assert_eq!(deliver(&bench, pdu.clone()).await, 0);
    pdu = reply(PERSON, SHORT_CODE, &[0xE9, 0x40]);
    pdu.data_coding = 0x03.into();
    assert_eq!(deliver(&bench, pdu).await, 0);
    pdu = reply(PERSON, SHORT_CODE, &[0x20, 0xA6, 0x00, 0x35]);
    pdu.data_coding = 0x08.into();
    assert_eq!(deliver(&bench, pdu).await, 0);
    pdu = reply(PERSON, SHORT_CODE, b"");
    let long = "long ".repeat(1_000);
    let octets = AnyOctetString::from_vec(long.clone().into_bytes());
    pdu.push_tlv(Field::MessagePayload(MessagePayload::new(octets)));
    assert_eq!(deliver(&bench, pdu).await, 0);
    let cut = &long[..4_096];
    assert_eq!(texts(&bench), ["@€_", "é@", "₦5", cut]);
}

#[tokio::test]
async fn what_is_of_no_sender_no_number_or_no_text_is_acknowledged_and_left() {
    let bench = started().await;
    let mut binary = said("Yes");
    binary.data_coding = 0x04.into();
    let mut unmarked = said("id:7 stat:DELIVRD");
    unmarked.push_tlv(Field::MessageState(MessageState::Delivered));
    let mut national = said("Yes");
    national.source_addr_ton = Ton::National;
    for pdu in [
        binary,
        reply(PERSON, "32812", b"Yes"),
        reply("MTN", SHORT_CODE, b"Yes"),
        said(""),
        unmarked,
        national,
    ] {
        assert_eq!(deliver(&bench, pdu).await, 0);
    }
    assert_eq!(bench.book.handed.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_message_is_acknowledged_once_it_is_recorded() {
    let bench = started().await;
    *bench.book.fails.lock().unwrap() = true;
    assert_eq!(deliver(&bench, said("Yes")).await, LATER);
    *bench.book.fails.lock().unwrap() = false;
    let held = Arc::new(Semaphore::new(0));
    *bench.book.held.lock().unwrap() = Some(Arc::clone(&held));
    let answer = deliver(&bench, said("Yes"));
    tokio::pin!(answer);
    let early = tokio::time::timeout(Duration::from_millis(200), &mut answer);
    assert!(early.await.is_err(), "it was acknowledged before");
    held.add_permits(1);
    assert_eq!(answer.await, 0);
    assert_eq!(texts(&bench), ["Yes"]);
}

/// A person who answers two questions with `1` has sent two messages.
#[tokio::test]
async fn the_same_words_after_an_acknowledgement_are_another_message() {
    let bench = started().await;
    for _ in 0..3 {
        assert_eq!(deliver(&bench, said("1")).await, 0);
    }
    assert_eq!(texts(&bench), ["1"; 3]);
    // What piled up comes at once.
    let statuses = bench.fake.deliver_all([said("2"), said("2")]).await;
    assert_eq!(statuses, [0, 0]);
    assert_eq!(texts(&bench).len(), 5);
}

#[tokio::test]
async fn what_is_repeated_after_the_session_broke_is_one_message() {
    let bench = started().await;
    let held = Arc::new(Semaphore::new(0));
    *bench.book.held.lock().unwrap() = Some(Arc::clone(&held));
    // Recorded, and the answer finds no session any more.
    bench.fake.send(Pdu::DeliverSm(said("Yes"))).await;
    bench
        .eventually(|bench| bench.book.handed.load(Ordering::SeqCst) == 1)
        .await;
    bound_again(&bench).await;
    held.add_permits(2);
    assert_eq!(deliver(&bench, said("Yes")).await, 0);
    assert_eq!(bench.book.handed.load(Ordering::SeqCst), 2);
    assert_eq!(texts(&bench), ["Yes"]);
}

/// The process died after the message was recorded; the SMSC repeats it to the next one.
#[tokio::test]
async fn what_is_repeated_after_a_start_is_one_message_and_later_words_are_another() {
    let first = started().await;
    assert_eq!(deliver(&first, said("Yes")).await, 0);
    let second = another(&first).await;
    second.clock.jump(Duration::from_mins(5));
    assert_eq!(deliver(&second, said("Yes")).await, 0);
    assert_eq!(texts(&first), ["Yes"]);
    assert_eq!(deliver(&second, said("Yes")).await, 0);
    assert_eq!(texts(&first), ["Yes"; 2]);
    let other = another(&first).await;
    let from_another = reply("2348031234568", SHORT_CODE, b"Yes");
    assert_eq!(deliver(&other, from_another).await, 0);
    assert_eq!(deliver(&other, said("No")).await, 0);
    assert_eq!(texts(&first), ["Yes", "Yes", "Yes", "No"]);
    first.book.messages.lock().unwrap().truncate(2);
    let third = another(&first).await;
    third.clock.jump(Duration::from_mins(20));
    assert_eq!(deliver(&third, said("Yes")).await, 0);
    assert_eq!(texts(&first), ["Yes"; 3]);
}

/// The store has what it said it did not know: days later it must not stand for another message.
#[tokio::test]
async fn what_failed_and_is_stored_is_repeated_for_ten_minutes_and_no_longer() {
    let bench = started().await;
    *bench.book.loses.lock().unwrap() = true;
    assert_eq!(deliver(&bench, said("1")).await, LATER);
    assert_eq!(deliver(&bench, said("2")).await, LATER);
    *bench.book.loses.lock().unwrap() = false;
    bench.clock.suspend(Duration::from_mins(9));
    assert_eq!(deliver(&bench, said("1")).await, 0);
    assert_eq!(texts(&bench), ["1", "2"]);
    bench.clock.suspend(Duration::from_hours(48));
    assert_eq!(deliver(&bench, said("2")).await, 0);
    assert_eq!(texts(&bench), ["1", "2", "2"]);
}

#[tokio::test]
async fn what_is_repeated_after_a_start_is_one_message_though_the_store_was_away() {
    let first = started().await;
    assert_eq!(deliver(&first, said("Yes")).await, 0);
    let second = another(&first).await;
    second.clock.jump(Duration::from_mins(5));
    *first.book.fails.lock().unwrap() = true;
    assert_eq!(deliver(&second, said("Yes")).await, LATER);
    *first.book.fails.lock().unwrap() = false;
    assert_eq!(deliver(&second, said("Yes")).await, 0);
    assert_eq!(texts(&first), ["Yes"]);
}

#[tokio::test]
async fn what_is_repeated_after_a_late_answer_is_one_message() {
    let bench = started().await;
    let held = Arc::new(Semaphore::new(0));
    *bench.book.held.lock().unwrap() = Some(Arc::clone(&held));
    let late = async {
        bench
            .eventually(|bench| bench.book.handed.load(Ordering::SeqCst) == 1)
            .await;
        bench.clock.suspend(Duration::from_secs(11));
        held.add_permits(10);
    };
    assert_eq!(tokio::join!(deliver(&bench, said("Yes")), late).0, 0);
    assert_eq!(deliver(&bench, said("Yes")).await, 0);
    assert_eq!(texts(&bench), ["Yes"]);
    // That one was answered in time.
    assert_eq!(deliver(&bench, said("Yes")).await, 0);
    assert_eq!(texts(&bench), ["Yes"; 2]);
}

#[tokio::test]
async fn parts_become_one_message_and_are_acknowledged_together() {
    let bench = started().await;
    let parts = [
        part(7, (3, 3), "!"),
        part(7, (3, 1), "Hello "),
        part(7, (3, 2), "there"),
    ];
    assert_eq!(bench.fake.deliver_all(parts).await, [0, 0, 0]);
    assert_eq!(texts(&bench), ["Hello there!"]);
    // By the fields of SMPP, and the same reference as above counts by itself.
    let parts = [(1, "one"), (2, " two")].map(|(index, text)| {
        let mut pdu = said(text);
        pdu.push_tlv(Field::SarMsgRefNum(7));
        pdu.push_tlv(Field::SarTotalSegments(2));
        pdu.push_tlv(Field::SarSegmentSeqnum(index));
        pdu
    });
    assert_eq!(bench.fake.deliver_all(parts).await, [0, 0]);
    assert_eq!(texts(&bench), ["Hello there!", "one two"]);
    // The same reference and words again: another message.
    let parts = [part(7, (2, 1), "a"), part(7, (2, 2), "b")];
    for _ in 0..2 {
        assert_eq!(bench.fake.deliver_all(parts.clone()).await, [0, 0]);
    }
    assert_eq!(texts(&bench)[2..], ["ab", "ab"]);
}

/// An SMSC that waits for each answer, as with a window of one.
#[tokio::test]
async fn a_part_without_the_others_is_asked_for_again_and_not_lost() {
    let bench = started().await;
    assert_eq!(deliver(&bench, part(7, (2, 1), "one")).await, LATER);
    *bench.book.fails.lock().unwrap() = true;
    assert_eq!(deliver(&bench, part(7, (2, 2), " two")).await, LATER);
    *bench.book.fails.lock().unwrap() = false;
    assert_eq!(deliver(&bench, part(7, (2, 2), " two")).await, 0);
    assert_eq!(texts(&bench), ["one two"]);
    // It is repeated once more, until it is acknowledged.
    assert_eq!(deliver(&bench, part(7, (2, 1), "one")).await, 0);
    assert_eq!(texts(&bench), ["one two"]);
}

#[tokio::test]
async fn a_part_of_what_was_recorded_before_a_start_is_acknowledged() {
    let first = started().await;
    assert_eq!(deliver(&first, part(7, (2, 1), "one")).await, LATER);
    assert_eq!(deliver(&first, part(7, (2, 2), " two")).await, 0);
    let second = another(&first).await;
    second.clock.jump(Duration::from_mins(30));
    assert_eq!(deliver(&second, part(7, (2, 1), "one")).await, 0);
    assert_eq!(texts(&first), ["one two"]);
    // What no process knows is none of it.
    assert_eq!(deliver(&second, part(8, (2, 1), "one")).await, LATER);
}

#[tokio::test]
async fn parts_that_wait_for_too_long_are_handed_over_without_the_others() {
    let bench = started().await;
    let parts = [part(7, (3, 1), "one"), part(7, (3, 3), "three")];
    assert_eq!(bench.fake.deliver_all(parts.clone()).await, [LATER, LATER]);
    bench.clock.suspend(Duration::from_mins(10));
    // One of them has it recorded, and the other is repeated.
    let statuses = bench.fake.deliver_all(parts.clone()).await;
    for (part, status) in parts.into_iter().zip(&statuses) {
        if *status == LATER {
            assert_eq!(deliver(&bench, part).await, 0);
        }
    }
    assert!(statuses.contains(&0), "{statuses:?}");
    assert_eq!(texts(&bench), ["one…three"]);
}

/// Its words are in no record: it must not be acknowledged for those of the others.
#[tokio::test]
async fn a_part_that_comes_after_the_others_were_recorded_is_not_lost() {
    let first = started().await;
    assert_eq!(deliver(&first, part(7, (2, 1), "one")).await, LATER);
    first.clock.suspend(Duration::from_mins(10));
    assert_eq!(deliver(&first, part(7, (2, 1), "one")).await, 0);
    assert_eq!(texts(&first), ["one…"]);
    // In this process, though the session that was answered has ended.
    bound_again(&first).await;
    assert_eq!(deliver(&first, part(7, (2, 2), " two")).await, LATER);
    first.clock.suspend(Duration::from_mins(10));
    assert_eq!(deliver(&first, part(7, (2, 2), " two")).await, 0);
    assert_eq!(texts(&first), ["one…", "… two"]);
    // After a start.
    first.book.messages.lock().unwrap().truncate(1);
    let second = another(&first).await;
    assert_eq!(deliver(&second, part(7, (2, 2), " two")).await, LATER);
    second.clock.suspend(Duration::from_mins(10));
    assert_eq!(deliver(&second, part(7, (2, 2), " two")).await, 0);
    assert_eq!(texts(&first), ["one…", "… two"]);
    // What was recorded of it is found.
    let third = another(&first).await;
    third.clock.jump(Duration::from_mins(20));
    assert_eq!(deliver(&third, part(7, (2, 1), "one")).await, LATER);
    third.clock.suspend(Duration::from_mins(10));
    assert_eq!(deliver(&third, part(7, (2, 1), "one")).await, 0);
    assert_eq!(texts(&first), ["one…", "… two"]);
}

#[tokio::test]
async fn a_part_that_comes_while_the_others_are_recorded_is_not_lost() {
    let bench = started().await;
    assert_eq!(deliver(&bench, part(7, (2, 1), "one")).await, LATER);
    bench.clock.suspend(Duration::from_mins(10));
    let held = Arc::new(Semaphore::new(0));
    *bench.book.held.lock().unwrap() = Some(Arc::clone(&held));
    let late = async {
        bench
            .eventually(|bench| bench.book.handed.load(Ordering::SeqCst) == 1)
            .await;
        let status = deliver(&bench, part(7, (2, 2), " two")).await;
        held.add_permits(10);
        status
    };
    let first = bench.fake.deliver_all([part(7, (2, 1), "one")]);
    assert_eq!(tokio::join!(first, late), (vec![0], LATER));
    assert_eq!(texts(&bench), ["one…"]);
}

#[tokio::test]
async fn other_words_under_the_same_reference_are_another_message_after_a_new_session() {
    let bench = started().await;
    for words in [["a", "b"], ["c", "d"]] {
        let [one, two] = words;
        let parts = [part(7, (2, 1), one), part(7, (2, 2), two)];
        assert_eq!(bench.fake.deliver_all(parts).await, [0, 0]);
        bound_again(&bench).await;
    }
    assert_eq!(texts(&bench), ["ab", "cd"]);
}

#[tokio::test]
async fn what_finds_no_place_is_asked_for_again_and_taken_then() {
    let bench = started().await;
    let held = Arc::new(Semaphore::new(0));
    *bench.book.held.lock().unwrap() = Some(Arc::clone(&held));
    for n in 0..64 {
        let message = said(&format!("message {n}"));
        bench.fake.send(Pdu::DeliverSm(message)).await;
    }
    bench
        .eventually(|bench| bench.book.handed.load(Ordering::SeqCst) == 64)
        .await;
    assert_eq!(deliver(&bench, said("one more")).await, LATER);
    assert_eq!(deliver(&bench, part(7, (2, 1), "one")).await, LATER);
    assert_eq!(deliver(&bench, part(7, (2, 2), " two")).await, LATER);
    held.add_permits(100);
    bench.eventually(|bench| texts(bench).len() == 64).await;
    assert_eq!(deliver(&bench, said("one more")).await, 0);
    assert_eq!(deliver(&bench, part(7, (2, 2), " two")).await, 0);
    assert_eq!(texts(&bench)[64..], ["one more", "one two"]);
}
