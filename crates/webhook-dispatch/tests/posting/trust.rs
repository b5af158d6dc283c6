//! Which receivers a delivery trusts: only those that prove the identity that was called.

use crate::receiver::{ReceiverScript, ScriptedReceiver};
use crate::world::{
    FixedNames, HERE, SHOP, SeenRequest, SilentNames, TestAuthority, request, this_machine,
    transport,
};
use domain::webhook::{DeliveryFailure, EndpointAnswer};
use std::net::TcpListener;
use std::sync::Arc;
use webhook_dispatch::guard::{Loopback, UrlGuardSettings};
use webhook_dispatch::transport::Transport;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

async fn posted(trusted: &TestAuthority, shown: &SeenRequest) -> Result<u16, DeliveryFailure> {
    let receiver = ScriptedReceiver::at(HERE, ReceiverScript::Answers(OK.to_vec()), shown).await;
    let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let transport = transport(trusted, this_machine(), names);
    let url = format!("https://{SHOP}:{}/", receiver.address.port());
    let answer = transport.send(request(&url)).await;
    let got_through = receiver.requests().len();
    assert_eq!(got_through, usize::from(answer.is_ok()));
    answer.map(|EndpointAnswer { status, .. }| status)
}

#[tokio::test]
async fn who_is_vouched_for_is_delivered_to() {
    let authority = TestAuthority::new();
    assert_eq!(posted(&authority, &authority.for_shop()).await, Ok(200));
}

#[tokio::test]
async fn a_receiver_that_cannot_prove_its_identity_receives_nothing() {
    let authority = TestAuthority::new();
    let strangers = [
        TestAuthority::new().for_shop(),
        authority.issue("other.example", (2000, 4000)),
        authority.issue("*.shop.example", (2000, 4000)),
        authority.issue(SHOP, (2000, 2001)),
        authority.issue(SHOP, (3000, 4000)),
    ];
    for stranger in strangers {
        assert_eq!(
            posted(&authority, &stranger).await,
            Err(DeliveryFailure::Untrusted)
        );
    }
}

#[tokio::test]
async fn a_receiver_without_tls_receives_nothing() {
    let authority = TestAuthority::new();
    let does = ReceiverScript::AnswersPlainly(OK.to_vec());
    let receiver = ScriptedReceiver::at(HERE, does, &authority.for_shop()).await;
    let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let settings = UrlGuardSettings {
        loopback: Loopback::Allowed,
        ..UrlGuardSettings::default()
    };
    let transport = transport(&authority, settings, names);
    let port = receiver.address.port();
    let secure = transport
        .send(request(&format!("https://{SHOP}:{port}/")))
        .await;
    assert!(
        matches!(
            secure,
            Err(DeliveryFailure::Broken | DeliveryFailure::TimedOut)
        ),
        "{secure:?}"
    );
    assert_eq!(receiver.requests().len(), 0);
    // Unless the one that is called is this machine, and that is allowed.
    for host in ["localhost", "127.0.0.1"] {
        let plain = transport
            .send(request(&format!("http://{host}:{port}/")))
            .await;
        assert_eq!(plain.map(|answer| answer.status), Ok(200));
    }
    let elsewhere = transport
        .send(request(&format!("http://{SHOP}:{port}/")))
        .await;
    assert_eq!(elsewhere, Err(DeliveryFailure::Forbidden));
}

#[tokio::test]
async fn who_is_not_there_is_not_reached() {
    let authority = TestAuthority::new();
    let free = TcpListener::bind((HERE, 0)).unwrap().local_addr().unwrap();
    let url = format!("https://{SHOP}:{}/", free.port());
    let there = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let posted = transport(&authority, this_machine(), there)
        .send(request(&url))
        .await;
    assert_eq!(posted, Err(DeliveryFailure::Unreachable));
    for nowhere in [FixedNames::that_mean(&[]), FixedNames::that_mean(&[&[]])] {
        let posted = transport(&authority, this_machine(), nowhere)
            .send(request(&url))
            .await;
        assert_eq!(posted, Err(DeliveryFailure::Unresolved));
    }
    let silent = Arc::new(SilentNames);
    let posted = transport(&authority, this_machine(), silent)
        .send(request(&url))
        .await;
    assert_eq!(posted, Err(DeliveryFailure::TimedOut));
}
