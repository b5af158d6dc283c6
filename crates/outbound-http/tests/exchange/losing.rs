//! Answers that are lost after the first byte: never "not sent", and never written again.

use crate::server::{ExchangeWorld, ServerStep, say};
use domain::provider::{QueryOutcome, SubmitOutcome, UnknownCause};
use outbound_http::ExchangeError;

async fn lost(script: Vec<ServerStep>) -> ExchangeError {
    let world = ExchangeWorld::with(vec![script.clone()]).await;
    let error = world.submit().await.unwrap_err();
    assert_eq!(error.query_outcome(), QueryOutcome::Unknown);
    assert_eq!(world.server.connections(), 1, "{script:?}");
    let received = world.server.received().remove(0);
    assert_eq!(received.matches("POST").count(), 1, "{script:?}");
    error
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_first_byte_leaves_the_outcome_unknown() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n";
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab";
    let scripts = [
        vec![ServerStep::Read],
        vec![ServerStep::Read, ServerStep::Reset],
        vec![ServerStep::Read, say(b"HTTP/1.1 200 OK\r\nConte")],
        vec![ServerStep::Read, say(head)],
        vec![ServerStep::Read, say(head), say(b"half")],
        vec![ServerStep::Read, say(head), say(b"half"), ServerStep::Reset],
        vec![ServerStep::Read, say(chunked)],
    ];
    for script in scripts {
        let error = lost(script.clone()).await;
        assert!(
            matches!(error, ExchangeError::Lost(_)),
            "{script:?}: {error:?}"
        );
        let unknown = SubmitOutcome::Unknown(UnknownCause::ConnectionLost);
        assert_eq!(error.submit_outcome(), unknown);
    }
}

#[tokio::test]
async fn what_is_not_answered_by_the_deadline_is_unknown() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n";
    let scripts = [
        vec![ServerStep::Read, ServerStep::Hang],
        vec![
            ServerStep::Read,
            say(b"HTTP/1.1 200 OK\r\nX-A: "),
            ServerStep::Drip,
        ],
        vec![ServerStep::Read, say(head), ServerStep::Drip],
        vec![
            ServerStep::Read,
            say(b"HTTP/1.1 100 Continue\r\n\r\n"),
            ServerStep::Hang,
        ],
    ];
    for script in scripts {
        let error = lost(script.clone()).await;
        assert!(
            matches!(error, ExchangeError::Timeout),
            "{script:?}: {error:?}"
        );
        let unknown = SubmitOutcome::Unknown(UnknownCause::Timeout);
        assert_eq!(error.submit_outcome(), unknown);
    }
}

/// The client may notice before it writes, or not: either is true, since nothing was read.
#[tokio::test]
async fn a_server_that_closes_before_it_reads_is_not_sent_or_unknown() {
    for script in [vec![], vec![ServerStep::Reset]] {
        let world = ExchangeWorld::with(vec![script]).await;
        let outcome = world.submit().await.unwrap_err().submit_outcome();
        let unknown = SubmitOutcome::Unknown(UnknownCause::ConnectionLost);
        assert!(
            outcome == SubmitOutcome::NotSent || outcome == unknown,
            "{outcome:?}"
        );
        assert_eq!(world.server.received(), [""]);
    }
}
