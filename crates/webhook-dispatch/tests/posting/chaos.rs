//! What receivers do, well and badly. Nothing of it may cost more than its time and a few
//! kilobytes.

use crate::receiver::ReceiverScript;
use crate::world::TransportWorld;
use domain::webhook::{DeliveryFailure, EXCERPT_MAX, EndpointAnswer};
use std::time::Duration;

fn text(answer: &str) -> Vec<u8> {
    answer.replace('\n', "\r\n").into_bytes()
}

fn answer(status: u16, excerpt: &str) -> EndpointAnswer {
    EndpointAnswer {
        status,
        retry_after: None,
        excerpt: excerpt.into(),
    }
}

async fn posted(does: ReceiverScript) -> Result<EndpointAnswer, DeliveryFailure> {
    let world = TransportWorld::with(does).await;
    let answer = world.post().await;
    assert_eq!(world.receiver.connections(), 1);
    answer
}

#[tokio::test]
async fn a_letter_arrives_as_standard_webhooks_has_it() {
    let world =
        TransportWorld::with(ReceiverScript::Answers(text("HTTP/1.1 204 No Content\n\n"))).await;
    assert_eq!(world.post().await, Ok(answer(204, "")));
    let [request] = <[String; 1]>::try_from(world.receiver.requests()).unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<_> = head.lines().collect();
    assert_eq!(lines.remove(0), "POST /events?a=b HTTP/1.1");
    lines.sort_unstable();
    let host = format!("host: shop.example:{}", world.receiver.address.port());
    let user_agent = concat!("user-agent: manilla/", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        lines,
        [
            "accept: */*",
            "content-length: 15",
            "content-type: application/json",
            &host,
            user_agent,
            "webhook-id: evt_7_2",
            "webhook-signature: v1,c2lnbmVk",
            "webhook-timestamp: 1614265330",
        ]
    );
    assert_eq!(body, r#"{"type":"ping"}"#);
}

#[tokio::test]
async fn one_connection_serves_one_delivery_after_the_other() {
    let ok = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";
    let world = TransportWorld::with(ReceiverScript::Answers(text(ok))).await;
    for _ in 0..5 {
        assert_eq!(world.post().await, Ok(answer(200, "")));
    }
    assert_eq!(world.receiver.requests().len(), 5);
    assert_eq!(world.receiver.connections(), 1);
    assert_eq!(world.names.asked(), 1);
}

#[tokio::test]
async fn no_redirect_is_followed() {
    for status in [301, 302, 303, 307, 308] {
        let head = format!("HTTP/1.1 {status} Moved\nLocation: https://shop.example/\n");
        let does = ReceiverScript::Answers(text(&format!("{head}Content-Length: 0\n\n")));
        let world = TransportWorld::with(does).await;
        assert_eq!(world.post().await, Ok(answer(status, "")));
        assert_eq!(world.receiver.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_receiver_says_that_it_is_gone_or_busy() {
    let gone = "HTTP/1.1 410 Gone\nContent-Length: 4\n\nbye\n";
    assert_eq!(
        posted(ReceiverScript::Answers(text(gone))).await,
        Ok(answer(410, "bye"))
    );
    let busy = "HTTP/1.1 429 Too Many Requests\nRetry-After: 120\nContent-Length: 0\n\n";
    let patient = Ok(EndpointAnswer {
        status: 429,
        retry_after: Some(Duration::from_mins(2)),
        excerpt: String::new(),
    });
    assert_eq!(posted(ReceiverScript::Answers(text(busy))).await, patient);
}

#[tokio::test]
async fn an_error_page_is_shown_from_its_beginning() {
    let page = "ẹ".repeat(3000);
    let head = format!("HTTP/1.1 500 Oops\nContent-Length: {}\n\n", page.len());
    let shown = posted(ReceiverScript::Answers(
        [text(&head), page.into_bytes()].concat(),
    ))
    .await
    .unwrap();
    assert_eq!(shown.status, 500);
    assert!(shown.excerpt.starts_with("ẹẹ") && shown.excerpt.len() > EXCERPT_MAX - 8);
    assert!(shown.excerpt.len() <= EXCERPT_MAX);
}

#[tokio::test]
async fn who_says_nothing_is_given_up_in_time() {
    let timed_out = Err(DeliveryFailure::TimedOut);
    assert_eq!(posted(ReceiverScript::NeverReads).await, timed_out);
    assert_eq!(posted(ReceiverScript::NeverAnswers).await, timed_out);
    let drips = ReceiverScript::AnswersAndDrips(text("HTTP/1.1 200 OK\nX-Long: "));
    assert_eq!(posted(drips).await, timed_out);
    let only_hints = "HTTP/1.1 103 Early Hints\n\n";
    let hints = ReceiverScript::AnswersAndRepeats(vec![], text(only_hints));
    assert!(matches!(
        posted(hints).await,
        Err(DeliveryFailure::TimedOut | DeliveryFailure::Broken)
    ));
}

#[tokio::test]
async fn who_says_yes_and_never_ends_has_said_yes() {
    let head = "HTTP/1.1 200 OK\nContent-Length: 1000000\n\nok";
    let world = TransportWorld::with(ReceiverScript::AnswersAndDrips(text(head))).await;
    assert_eq!(world.post().await.unwrap().status, 200);
    world.receiver.hung_up().await;
    let unending = "HTTP/1.1 202 Accepted\nConnection: close\n\n";
    let drips = posted(ReceiverScript::AnswersAndDrips(text(unending)))
        .await
        .unwrap();
    assert_eq!(drips.status, 202);
    // Of a success nothing is kept.
    assert_eq!(drips.excerpt, "");
}

#[tokio::test]
async fn an_endless_body_is_hung_up_on() {
    let heads = [
        ("Connection: close\n\n", vec![b'a'; 1024]),
        ("Content-Length: 99999999999\n\n", vec![b'a'; 1024]),
        (
            "Transfer-Encoding: chunked\n\n",
            text(&format!("400\n{}\n", "a".repeat(1024))),
        ),
    ];
    for (head, more) in heads {
        let head = text(&format!("HTTP/1.1 500 Oops\n{head}"));
        let world = TransportWorld::with(ReceiverScript::AnswersAndRepeats(head, more)).await;
        assert_eq!(
            world.post().await,
            Ok(answer(500, &"a".repeat(EXCERPT_MAX)))
        );
        world.receiver.hung_up().await;
        // What the machine buffers on the way was sent too, but never read.
        assert!(
            world.receiver.sent() < 16 << 20,
            "{}",
            world.receiver.sent()
        );
    }
}

#[tokio::test]
async fn a_bomb_is_not_unpacked() {
    let bomb = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let head = "HTTP/1.1 500 Oops\nContent-Encoding: gzip\nContent-Length: 10\n\n";
    let shown = posted(ReceiverScript::Answers([text(head), bomb].concat()))
        .await
        .unwrap();
    assert_eq!(shown.status, 500);
    assert_eq!(shown.excerpt.trim(), "\u{fffd}");
}

#[tokio::test]
async fn a_head_without_end_is_no_answer() {
    let lines = ReceiverScript::AnswersAndRepeats(
        text("HTTP/1.1 200 OK\n"),
        text("X-More: aaaaaaaaaaaa\n"),
    );
    assert_eq!(posted(lines).await, Err(DeliveryFailure::Broken));
    let line =
        ReceiverScript::AnswersAndRepeats(text("HTTP/1.1 200 OK\nX-More: "), vec![b'a'; 4096]);
    assert_eq!(posted(line).await, Err(DeliveryFailure::Broken));
    let many = "X-More: a\n".repeat(101);
    let many = ReceiverScript::Answers(text(&format!(
        "HTTP/1.1 200 OK\n{many}Content-Length: 0\n\n"
    )));
    assert_eq!(posted(many).await, Err(DeliveryFailure::Broken));
}

#[tokio::test]
async fn what_breaks_off_is_no_answer() {
    let broken = Err(DeliveryFailure::Broken);
    for beginning in [
        "",
        "HTTP/1.1 2",
        "HTTP/1.1 200 OK\nContent-Len",
        "HTTP/1.1 200 OK\nContent-Length: 10\n\nok",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nok",
    ] {
        let does = ReceiverScript::AnswersAndBreaksOff(text(beginning));
        assert_eq!(posted(does).await, broken, "{beginning}");
    }
    // Who says no means no, however little more he says.
    let no = "HTTP/1.1 503 Busy\nContent-Length: 10\n\nbu";
    let no = posted(ReceiverScript::AnswersAndBreaksOff(text(no)))
        .await
        .unwrap();
    assert_eq!(no.status, 503);
}

#[tokio::test]
async fn what_is_no_http_is_no_answer() {
    for garbage in [
        "garbage\n\n",
        "SSH-2.0-OpenSSH_9.6\n",
        "HTTP/1.1 abc OK\n\n",
        "HTTP/1.1 20 OK\n\n",
        "HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 2\n\nab",
        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\n",
        "\0\0\0\0\0\0\n\n",
    ] {
        let does = ReceiverScript::AnswersAndBreaksOff(text(garbage));
        assert_eq!(
            posted(does).await,
            Err(DeliveryFailure::Broken),
            "{garbage:?}"
        );
    }
}
