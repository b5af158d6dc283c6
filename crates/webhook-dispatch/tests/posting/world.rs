//! The world of the attempts: an authority, names, and a transport with short timeouts. It must
//! ask no real name server.

use crate::receiver::{ReceiverScript, ScriptedReceiver};
use async_trait::async_trait;
use domain::time::Timestamp;
use domain::webhook::{DeliveryFailure, EndpointAnswer, Target};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use webhook_dispatch::guard::{Guard, HostResolver, LookupPriority, UrlGuardSettings};
use webhook_dispatch::transport::{
    DeliveryRequest, HttpTransport, Timeouts, Transport, TransportSettings as Posting,
};

/// The name every receiver goes by.
pub(crate) const SHOP: &str = "shop.example";

/// Where a receiver stands unless a test says so.
pub(crate) const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// When requests are sent.
pub(crate) const AT: Timestamp = Timestamp::from_millis(1_614_265_330_999);

/// So that a suite of receivers that do nothing takes seconds.
const PATIENCE: Timeouts = Timeouts {
    connect: Duration::from_millis(600),
    attempt: Duration::from_millis(1200),
    body: Duration::from_millis(200),
};

/// A certificate with what stands behind it.
#[derive(Debug)]
pub(crate) struct SeenRequest {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    pub(crate) key: PrivateKeyDer<'static>,
}

/// An authority of a test.
pub(crate) struct TestAuthority {
    params: CertificateParams,
    key: KeyPair,
}

impl TestAuthority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self { params, key }
    }

    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        let signed = self.params.self_signed(&self.key).unwrap();
        signed.der().clone()
    }

    /// A certificate for a name from a year until another.
    pub(crate) fn issue(&self, name: &str, years: (i32, i32)) -> SeenRequest {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(years.0, 1, 1);
        params.not_after = rcgen::date_time_ymd(years.1, 1, 1);
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::from_params(&self.params, &self.key);
        let signed = params.signed_by(&key, &issuer).unwrap();
        SeenRequest {
            chain: vec![signed.der().clone()],
            key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        }
    }

    /// A certificate for the name every receiver goes by.
    pub(crate) fn for_shop(&self) -> SeenRequest {
        self.issue(SHOP, (2000, 4000))
    }
}

/// Answers one list of addresses after the other, the last for ever, and counts.
#[derive(Debug)]
pub(crate) struct FixedNames {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: Mutex<Vec<LookupPriority>>,
}

impl FixedNames {
    pub(crate) fn that_mean(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |list: &&[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self {
            answers: Mutex::new(answers.iter().map(parse).collect()),
            asked: Mutex::default(),
        })
    }

    /// How many lookups were made.
    pub(crate) fn asked(&self) -> usize {
        self.asked_by().len()
    }

    /// Who asked.
    pub(crate) fn asked_by(&self) -> Vec<LookupPriority> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl HostResolver for FixedNames {
    async fn addresses(&self, name: &str, asker: LookupPriority) -> io::Result<Vec<IpAddr>> {
        assert_eq!(name, SHOP);
        self.asked.lock().unwrap().push(asker);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 {
            answers.pop_front()
        } else {
            answers.front().cloned()
        };
        answer.ok_or_else(|| io::Error::other("no such name"))
    }
}

/// A resolver that never answers.
#[derive(Debug)]
pub(crate) struct SilentNames;

#[async_trait]
impl HostResolver for SilentNames {
    async fn addresses(&self, _: &str, _: LookupPriority) -> io::Result<Vec<IpAddr>> {
        std::future::pending().await
    }
}

/// This machine may be delivered to, as a network of the operator's.
pub(crate) fn this_machine() -> UrlGuardSettings {
    UrlGuardSettings {
        allowed: vec!["127.0.0.0/8".parse().unwrap()],
        ..UrlGuardSettings::default()
    }
}

/// A transport with little patience that trusts an authority.
pub(crate) fn transport(
    authority: &TestAuthority,
    settings: UrlGuardSettings,
    names: Arc<dyn HostResolver>,
) -> HttpTransport {
    let posting = Posting {
        patience: PATIENCE,
        authorities: vec![authority.certificate()],
    };
    HttpTransport::new(Arc::new(Guard::new(settings, names)), posting).unwrap()
}

/// A request to an address.
pub(crate) fn request(url: &str) -> DeliveryRequest {
    DeliveryRequest {
        target: Target::checked(url),
        asker: LookupPriority::Proven,
        id: "evt_7_2".into(),
        at: AT,
        signatures: "v1,c2lnbmVk".into(),
        body: br#"{"type":"ping"}"#.to_vec(),
    }
}

/// A receiver that is trusted and resolved, and the transport that delivers to it.
pub(crate) struct TransportWorld {
    pub(crate) receiver: ScriptedReceiver,
    pub(crate) names: Arc<FixedNames>,
    transport: HttpTransport,
}

impl TransportWorld {
    pub(crate) async fn with(does: ReceiverScript) -> Self {
        let authority = TestAuthority::new();
        let names = FixedNames::that_mean(&[&["127.0.0.1"]]);
        Self {
            receiver: ScriptedReceiver::at(HERE, does, &authority.for_shop()).await,
            transport: transport(&authority, this_machine(), names.clone()),
            names,
        }
    }

    /// Sends a request.
    pub(crate) async fn post(&self) -> Result<EndpointAnswer, DeliveryFailure> {
        let port = self.receiver.address.port();
        self.transport
            .send(request(&format!("https://{SHOP}:{port}/events?a=b")))
            .await
    }
}
