//! What fails before the first byte: not sent, and the permit is not asked for.

use crate::server::{DEADLINE, HERE, ScriptedServer, ServerAuthority, ServerStep, client, request};
use domain::provider::{QueryOutcome, SubmitOutcome};
use outbound_http::{
    ExchangeError, NotSentCause, OutboundClient, OutboundRequest, OutboundSettings, OutboundTarget,
    PlainHttp,
};
use std::net::TcpListener;
use std::time::Duration;
use testkit::clock::ManualClock;
use testkit::permit::FixedPermit;
use tokio_rustls::TlsAcceptor;

async fn refused(client: &OutboundClient, request: OutboundRequest) -> NotSentCause {
    let permit = FixedPermit::granted();
    let error = client.submit(request, DEADLINE, &permit).await.unwrap_err();
    assert_eq!(permit.asked(), 0, "{error:?}");
    assert_eq!(error.submit_outcome(), SubmitOutcome::NotSent);
    assert_eq!(error.query_outcome(), QueryOutcome::Unknown);
    let ExchangeError::NotSent(cause) = error else {
        panic!("{error:?}");
    };
    cause
}

#[tokio::test]
async fn a_host_that_is_not_there_is_not_reached() {
    let free = TcpListener::bind((HERE, 0)).unwrap().local_addr().unwrap();
    let client = client(free.port(), None, ManualClock::start());
    let cause = refused(&client, request()).await;
    assert!(matches!(cause, NotSentCause::Connect(_)), "{cause:?}");
}

/// A machine without a resolver needs long to say so.
#[tokio::test]
async fn a_name_without_an_address_is_not_reached() {
    let target = OutboundTarget::parse("https://provider.invalid/", PlainHttp::Refused).unwrap();
    let settings = OutboundSettings {
        connect: Duration::from_millis(500),
        ..OutboundSettings::default()
    };
    let client = OutboundClient::new(target, settings, ManualClock::start()).unwrap();
    let cause = refused(&client, request()).await;
    assert!(
        matches!(cause, NotSentCause::Resolve(_) | NotSentCause::TimedOut),
        "{cause:?}"
    );
}

async fn server_with(tls: Option<TlsAcceptor>, act: ServerStep) -> ScriptedServer {
    ScriptedServer::with(tls, vec![vec![act]]).await
}

#[tokio::test]
async fn a_server_that_cannot_prove_its_identity_receives_nothing() {
    let trusted = ServerAuthority::new();
    let strangers = [
        ServerAuthority::new().acceptor(HERE),
        trusted.acceptor("other.example"),
    ];
    for stranger in strangers {
        let server = server_with(Some(stranger), ServerStep::ReadToEnd).await;
        let client = client(server.port, Some(&trusted), ManualClock::start());
        let cause = refused(&client, request()).await;
        assert!(matches!(cause, NotSentCause::Tls(_)), "{cause:?}");
        server.ended(1).await;
        assert_eq!(server.received(), [""]);
    }
}

#[tokio::test]
async fn a_server_that_does_not_agree_on_keys_in_time_receives_no_request() {
    let server = server_with(None, ServerStep::Hang).await;
    let client = client(
        server.port,
        Some(&ServerAuthority::new()),
        ManualClock::start(),
    );
    let cause = refused(&client, request()).await;
    assert!(matches!(cause, NotSentCause::TimedOut), "{cause:?}");
}

#[tokio::test]
async fn a_server_without_tls_receives_no_request() {
    let server = server_with(None, crate::server::say(b"HTTP/1.1 400 Bad\r\n\r\n")).await;
    let client = client(
        server.port,
        Some(&ServerAuthority::new()),
        ManualClock::start(),
    );
    let cause = refused(&client, request()).await;
    assert!(matches!(cause, NotSentCause::Tls(_)), "{cause:?}");
}

#[tokio::test]
async fn a_path_that_cannot_be_written_is_not_sent() {
    let client = client(9, None, ManualClock::start());
    let cause = refused(&client, OutboundRequest::get("a b\r\nX-Evil: 1")).await;
    assert!(matches!(cause, NotSentCause::Request), "{cause:?}");
}
