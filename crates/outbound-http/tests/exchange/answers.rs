//! What is an answer, and what is none.

use crate::server::{
    BODY_MAX, ExchangeWorld, OK, ScriptedServer, ServerStep, client, request, say,
};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use outbound_http::ExchangeError;
use std::time::Duration;
use testkit::clock::ManualClock;

#[tokio::test]
async fn an_answer_is_handed_on_whole() {
    let world = ExchangeWorld::answering(
        b"HTTP/1.1 200 OK\r\nX-Id: 7\r\nTransfer-Encoding: chunked\r\n\r\n\
          2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
    )
    .await;
    let answer = world.submit().await.unwrap();
    assert_eq!((answer.status, &answer.body[..]), (200, &b"abc"[..]));
    assert_eq!(answer.headers["x-id"], "7");
    let received = world.server.received().remove(0).to_lowercase();
    let (head, body) = received.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("post /api/pay http/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("host: localhost:{}", world.server.port)));
    assert!(head.contains("content-type: application/json"), "{head}");
    assert!(!head.contains("accept-encoding"), "{head}");
    assert_eq!(body, r#"{"amount":"100.00"}"#);
}

#[tokio::test]
async fn this_machine_may_be_asked_in_the_clear() {
    let server = ScriptedServer::with(None, vec![vec![ServerStep::Read, say(OK)]]).await;
    let client = client(server.port, None, ManualClock::start());
    let answer = client.ask(request(), Duration::from_secs(5)).await.unwrap();
    assert_eq!(&answer.body[..], b"ok");
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let answer =
            format!("HTTP/1.1 {status} Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n");
        let world = ExchangeWorld::answering(answer.as_bytes()).await;
        let answer = world.submit().await.unwrap();
        assert_eq!(answer.status, status);
        assert_eq!(answer.unexpected_status(), Some(UnknownCause::Unlisted));
        assert_eq!(world.server.received().len(), 1);
        assert_eq!(world.server.received()[0].matches("POST").count(), 1);
    }
}

#[tokio::test]
async fn a_page_with_status_200_is_handed_on_for_the_adapter_to_refuse() {
    let world = ExchangeWorld::answering(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>",
    )
    .await;
    let answer = world.submit().await.unwrap();
    assert_eq!(answer.unexpected_status(), None);
    assert_eq!(&answer.body[..], b"<html></html>");
}

#[tokio::test]
async fn interim_answers_are_skipped() {
    let mut bytes =
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_vec();
    bytes.extend_from_slice(OK);
    let world = ExchangeWorld::answering(&bytes).await;
    assert_eq!(&world.submit().await.unwrap().body[..], b"ok");
}

#[tokio::test]
async fn an_answer_that_was_not_asked_for_so_is_malformed() {
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X-A: 1\r\n".repeat(65));
    let large = format!("HTTP/1.1 200 OK\r\nX-A: {}\r\n\r\n", "a".repeat(17_000));
    let answers: [&[u8]; 7] = [
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n",
        b"upstream connect error or disconnect\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: minus\r\n\r\n",
        many.as_bytes(),
        large.as_bytes(),
    ];
    for answer in answers {
        let world = ExchangeWorld::answering(answer).await;
        let error = world.submit().await.unwrap_err();
        let shown = String::from_utf8_lossy(&answer[..40.min(answer.len())]).into_owned();
        assert!(
            matches!(error, ExchangeError::Malformed(_)),
            "{shown}: {error:?}"
        );
        let unreadable = SubmitOutcome::Unknown(UnknownCause::Unreadable);
        assert_eq!(error.submit_outcome(), unreadable);
        assert_eq!(error.query_outcome(), QueryOutcome::Unknown);
    }
}

#[tokio::test]
async fn an_answer_over_the_limit_is_not_read_on() {
    let announced = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
        BODY_MAX + 1
    );
    let piece = format!("{:x}\r\n{}\r\n", 400, "a".repeat(400));
    let chunked = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        piece.repeat(3)
    );
    for answer in [announced, chunked] {
        let world = ExchangeWorld::with(vec![vec![
            ServerStep::Read,
            say(answer.as_bytes()),
            ServerStep::Hang,
        ]])
        .await;
        let error = world.submit().await.unwrap_err();
        assert!(
            matches!(error, ExchangeError::TooLarge(BODY_MAX)),
            "{error:?}"
        );
        let unreadable = SubmitOutcome::Unknown(UnknownCause::Unreadable);
        assert_eq!(error.submit_outcome(), unreadable);
    }
    let most = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {BODY_MAX}\r\n\r\n{}",
        "a".repeat(BODY_MAX)
    );
    let world = ExchangeWorld::answering(most.as_bytes()).await;
    assert_eq!(world.submit().await.unwrap().body.len(), BODY_MAX);
}
