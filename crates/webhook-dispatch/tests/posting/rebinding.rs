//! Names that resolve differently when they are dialled, and other ways around the guard. The tests
//! prove that no connection was made, not only no request.

use crate::receiver::{ReceiverScript, ScriptedReceiver};
use crate::world::{FixedNames, HERE, SHOP, TestAuthority, request, this_machine, transport};
use domain::account::AccountId;
use domain::webhook::DeliveryFailure;
use ports::webhooks::WebhookUrlPolicy;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use webhook_dispatch::guard::{Guard, LookupPriority, Loopback, UrlGuardSettings};
use webhook_dispatch::transport::{DeliveryRequest, Transport};

fn shop() -> AccountId {
    AccountId::parse("shop").unwrap()
}

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

const PUBLIC: &str = "93.184.215.14";

fn ok() -> ReceiverScript {
    ReceiverScript::Answers(OK.to_vec())
}

#[tokio::test]
async fn a_name_that_was_public_when_it_was_checked_is_judged_again_when_it_is_dialled() {
    let authority = TestAuthority::new();
    let receiver = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let url = format!("https://{SHOP}:{}/", receiver.address.port());
    let rebound: [&[&str]; 5] = [
        &["127.0.0.1"],
        &["::ffff:127.0.0.1"],
        &[PUBLIC, "127.0.0.1"],
        &["127.0.0.1", PUBLIC],
        &["0.0.0.0"],
    ];
    for rebound in rebound {
        let names = FixedNames::that_mean(&[&[PUBLIC], rebound]);
        let guard = Guard::new(UrlGuardSettings::default(), names.clone());
        assert_eq!(guard.check(&shop(), &url).await.unwrap().as_str(), url);
        let transport = transport(&authority, UrlGuardSettings::default(), names.clone());
        assert_eq!(
            transport.send(request(&url)).await,
            Err(DeliveryFailure::Unresolved)
        );
        assert_eq!(names.asked(), 2);
    }
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn literals_are_judged_with_every_delivery() {
    let authority = TestAuthority::new();
    let receiver = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let port = receiver.address.port();
    let names = FixedNames::that_mean(&[&[PUBLIC]]);
    let transport = transport(&authority, UrlGuardSettings::default(), names.clone());
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "0",
    ] {
        for scheme in ["https", "http"] {
            let answer = transport
                .send(request(&format!("{scheme}://{host}:{port}/")))
                .await;
            assert_eq!(answer, Err(DeliveryFailure::Forbidden), "{scheme}://{host}");
        }
    }
    let localhost = transport.send(request(&format!("https://localhost:{port}/")));
    assert_eq!(localhost.await, Err(DeliveryFailure::Unresolved));
    assert_eq!((receiver.connections(), names.asked()), (0, 0));
}

#[tokio::test]
async fn the_address_that_was_judged_is_the_one_that_is_dialled() {
    let authority = TestAuthority::new();
    let here = Ipv4Addr::new(127, 0, 0, 2);
    let receiver = ScriptedReceiver::at(here, ok(), &authority.for_shop()).await;
    let names = FixedNames::that_mean(&[&["127.0.0.2"], &[PUBLIC]]);
    let transport = transport(&authority, this_machine(), names.clone());
    let url = format!("https://{SHOP}:{}/", receiver.address.port());
    assert_eq!(transport.send(request(&url)).await.unwrap().status, 200);
    assert_eq!((receiver.connections(), names.asked()), (1, 1));
}

#[tokio::test]
async fn a_resolver_receives_the_merchant_a_lookup_is_made_for() {
    let authority = TestAuthority::new();
    let receiver = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let transport = transport(&authority, this_machine(), names.clone());
    let url = format!("https://{SHOP}:{}/", receiver.address.port());
    let askers = [LookupPriority::Unproven, LookupPriority::Proven];
    for asker in askers {
        let request = DeliveryRequest {
            asker,
            ..request(&url)
        };
        assert_eq!(transport.send(request).await.unwrap().status, 200);
    }
    let guard = Guard::new(this_machine(), names.clone());
    guard.check(&shop(), &url).await.unwrap();
    let asked = names.asked_by();
    let [
        LookupPriority::Unproven,
        LookupPriority::Proven,
        LookupPriority::Merchant(_),
    ] = asked[..]
    else {
        panic!("{asked:?}");
    };
}

#[tokio::test]
async fn the_gateway_does_not_call_itself_by_any_name() {
    let authority = TestAuthority::new();
    let ours = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let another = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let settings = UrlGuardSettings {
        allowed: vec!["0.0.0.0/0".parse().unwrap()],
        loopback: Loopback::Allowed,
        own: vec![ours.address],
        names: Vec::new(),
    };
    let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let transport = Arc::new(transport(&authority, settings, names));
    let post = async |host: &str, port: u16| {
        let answer = transport
            .send(request(&format!("https://{host}:{port}/")))
            .await;
        answer.map(|answer| answer.status)
    };
    for host in [SHOP, "127.0.0.1", "127.0.0.3", "localhost", "0.0.0.0"] {
        let answer = post(host, ours.address.port()).await;
        let literal = host.parse::<IpAddr>().is_ok();
        let refused = if literal {
            DeliveryFailure::Forbidden
        } else {
            DeliveryFailure::Unresolved
        };
        assert_eq!(answer, Err(refused), "{host}");
    }
    assert_eq!(ours.connections(), 0);
    assert_eq!(post(SHOP, another.address.port()).await, Ok(200));
}

#[tokio::test]
async fn who_sends_us_on_to_this_machine_is_not_followed() {
    let authority = TestAuthority::new();
    let inside = ScriptedReceiver::at(HERE, ok(), &authority.for_shop()).await;
    let location = format!("Location: https://{SHOP}:{}/\r\n", inside.address.port());
    let moved = format!("HTTP/1.1 307 Moved\r\n{location}Content-Length: 0\r\n\r\n");
    let moved = ReceiverScript::Answers(moved.into_bytes());
    let receiver = ScriptedReceiver::at(HERE, moved, &authority.for_shop()).await;
    let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
    let transport = transport(&authority, this_machine(), names);
    let url = format!("https://{SHOP}:{}/", receiver.address.port());
    assert_eq!(transport.send(request(&url)).await.unwrap().status, 307);
    assert_eq!(inside.connections(), 0);
}
