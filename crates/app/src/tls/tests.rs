//! The rules of the local certificate at fixed moments. They must not ask what time it is.

use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ports::clock::Clock as _;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use tempfile::TempDir;
use testkit::clock::ManualClock;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier as _;
use tokio_rustls::rustls::crypto::ring;

use super::leaf::{LeafRecord, LeafRequest, Renewal, names, renewal};
use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const DAY: Duration = Duration::from_hours(24);

fn server(listen: &str) -> ServerConfig {
    ServerConfig {
        listen: listen.parse().unwrap(),
        certificate: None,
        names: Vec::new(),
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Whether a certificate that ends so many days from now is renewed.
fn after_days(days: u32) -> Option<Renewal> {
    let record = LeafRecord {
        names: set(&["localhost"]),
        ends_ms: NOW.plus(DAY * days).as_millis(),
        issuer: "a".into(),
    };
    let wanted = LeafRequest {
        names: set(&["localhost"]),
        issuer: Some("a".into()),
    };
    renewal(&record, &wanted, NOW)
}

#[test]
fn a_certificate_is_renewed_thirty_days_before_its_end() {
    assert_eq!(after_days(0), Some(Renewal::Ending));
    assert_eq!(after_days(29), Some(Renewal::Ending));
    assert_eq!(after_days(30), None);
    assert_eq!(after_days(90), None);
    assert_eq!(after_days(92), Some(Renewal::NotYet));
}

#[test]
fn a_certificate_is_renewed_for_a_name_it_lacks_or_another_authority() {
    let record = LeafRecord {
        names: set(&["localhost", "10.0.0.5"]),
        ends_ms: NOW.plus(DAY * 80).as_millis(),
        issuer: "a".into(),
    };
    let because = |names: &[&str], issuer: Option<&str>| {
        let wanted = LeafRequest {
            names: set(names),
            issuer: issuer.map(str::to_owned),
        };
        renewal(&record, &wanted, NOW)
    };
    assert_eq!(because(&["localhost"], Some("a")), None);
    assert_eq!(because(&["localhost"], None), None);
    assert_eq!(
        because(&["localhost", "::1"], Some("a")),
        Some(Renewal::Names)
    );
    assert_eq!(because(&["localhost"], Some("b")), Some(Renewal::Authority));
}

#[test]
fn every_address_of_the_machine_is_the_name_of_none() {
    let of = |listen: &str| names(listen.parse::<IpAddr>().unwrap(), &["pay.test".into()]);
    assert_eq!(
        of("0.0.0.0"),
        set(&["127.0.0.1", "::1", "localhost", "pay.test"])
    );
    assert!(of("10.0.0.5").contains("10.0.0.5"));
}

#[test]
fn the_first_start_makes_what_later_starts_keep() {
    let data = TempDir::new().unwrap();
    let first = material(data.path(), &server("127.0.0.1:0"), NOW).unwrap();
    let ca = fs::read(data.path().join(CA_FILE)).unwrap();
    assert_eq!(first.origin, CertificateOrigin::Local);
    for secret in ["ca-key.pem", "server-key.pem"] {
        let path = data.path().join("tls").join(secret);
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{secret}");
    }

    let second = material(data.path(), &server("127.0.0.1:0"), NOW.plus(DAY)).unwrap();
    assert_eq!(second.chain, first.chain);

    let moved = material(data.path(), &server("127.0.0.9:0"), NOW).unwrap();
    assert_ne!(moved.chain, first.chain);

    let old = material(data.path(), &server("127.0.0.9:0"), NOW.plus(DAY * 61)).unwrap();
    assert_ne!(old.chain, moved.chain);
    assert_eq!(fs::read(data.path().join(CA_FILE)).unwrap(), ca);
}

#[test]
fn a_certificate_outlives_its_authoritys_key_until_it_must_be_renewed() {
    let data = TempDir::new().unwrap();
    let first = material(data.path(), &server("127.0.0.1:0"), NOW).unwrap();
    let ca = fs::read(data.path().join(CA_FILE)).unwrap();
    fs::remove_file(data.path().join("tls/ca-key.pem")).unwrap();

    let kept = material(data.path(), &server("127.0.0.1:0"), NOW).unwrap();
    assert_eq!(kept.chain, first.chain);

    material(data.path(), &server("127.0.0.1:0"), NOW.plus(DAY * 80)).unwrap();
    assert_ne!(fs::read(data.path().join(CA_FILE)).unwrap(), ca);
}

#[test]
fn without_anything_to_trust_everything_is_made_anew() {
    let data = TempDir::new().unwrap();
    let first = material(data.path(), &server("127.0.0.1:0"), NOW).unwrap();
    fs::remove_file(data.path().join("tls/ca-key.pem")).unwrap();
    fs::remove_file(data.path().join(CA_FILE)).unwrap();

    let second = material(data.path(), &server("127.0.0.1:0"), NOW).unwrap();
    assert_ne!(second.chain, first.chain);
    assert!(data.path().join(CA_FILE).exists());
}

#[test]
fn a_certificate_that_is_brought_is_used_and_nothing_is_made() {
    let [theirs, data] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    material(theirs.path(), &server("127.0.0.1:0"), NOW).unwrap();
    let certificate = |cert: &str, key: &str| ServerConfig {
        certificate: Some((theirs.path().join(cert), theirs.path().join(key))),
        ..server("127.0.0.1:0")
    };
    let used = certificate("tls/server.pem", "tls/server-key.pem");
    let used = material(data.path(), &used, NOW).unwrap();
    assert_eq!(used.origin, CertificateOrigin::Brought);
    assert!(used.chain.starts_with(b"-----BEGIN CERTIFICATE-----"));
    assert_eq!(fs::read_dir(data.path()).unwrap().count(), 0);

    let missing = material(data.path(), &certificate("none.pem", "none.pem"), NOW).unwrap_err();
    assert!(
        missing.to_string().contains("`server.tls_cert`"),
        "{missing}"
    );
}

#[test]
fn a_private_key_that_every_user_can_read_is_refused_and_a_certificate_is_for_everyone() {
    let [theirs, data] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    material(theirs.path(), &server("127.0.0.1:0"), NOW).unwrap();
    let [chain, key, authority] = ["server.pem", "server-key.pem", "ca-key.pem"]
        .map(|name| theirs.path().join("tls").join(name));
    let brought = ServerConfig {
        certificate: Some((chain.clone(), key.clone())),
        ..server("127.0.0.1:0")
    };
    let chmod = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let refused = |folder: &TempDir, server: &ServerConfig, path: &Path| {
        chmod(path, 0o644);
        let refused = format!("{:#}", material(folder.path(), server, NOW).unwrap_err());
        chmod(path, 0o640);
        material(folder.path(), server, NOW).unwrap();
        assert!(
            refused.contains("every user of this machine can read"),
            "{refused}"
        );
        refused
    };
    chmod(&chain, 0o644);
    assert!(refused(&data, &brought, &key).starts_with("`server.tls_key`"));
    for path in [&key, &authority] {
        refused(&theirs, &server("127.0.0.1:0"), path);
    }
}

#[test]
fn starts_at_one_moment_over_one_folder_share_one_matching_pair() {
    const STARTS: usize = 8;
    for _ in 0..8 {
        let folder = TempDir::new().unwrap();
        let together = std::sync::Barrier::new(STARTS);
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = std::thread::scope(|scope| {
            let start = || {
                together.wait();
                let made = material(folder.path(), &server("127.0.0.1:0"), NOW).unwrap();
                (made.chain, made.key)
            };
            let starts: Vec<_> = (0..STARTS).map(|_| scope.spawn(start)).collect();
            let ended = starts.into_iter().map(|start| start.join().unwrap());
            ended.collect()
        });
        let (chain, key) = &pairs[0];
        assert!(pairs.iter().all(|pair| pair == &pairs[0]));
        let key = rcgen::KeyPair::from_pem(std::str::from_utf8(key).unwrap()).unwrap();
        let public = key.public_key_raw();
        let certificate = CertificateDer::from_pem_slice(chain).unwrap();
        assert!(certificate.windows(public.len()).any(|part| part == public));
    }
}

/// Whether a client that trusts a certificate of the authority takes a chain for a server.
fn is_trusted(ca: &[u8], chain: &[u8], name: &str, at: Timestamp) -> bool {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(ca).unwrap())
        .unwrap();
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
    let verifier = verifier.build().unwrap();
    let leaf = CertificateDer::from_pem_slice(chain).unwrap();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let at = UnixTime::since_unix_epoch(at.since(Timestamp::from_millis(0)));
    let found = verifier.verify_server_cert(&leaf, &[], &name, &[], at);
    found.is_ok()
}

fn ca(data: &TempDir) -> Vec<u8> {
    fs::read(data.path().join(CA_FILE)).unwrap()
}

#[test]
fn who_trusts_the_authority_trusts_it_with_the_names_of_the_gateway_alone() {
    let data = TempDir::new().unwrap();
    let mut served = server("127.0.0.1:0");
    served.names = vec!["pay.test".into()];
    let ours = material(data.path(), &served, NOW).unwrap();
    for name in ["localhost", "127.0.0.1", "::1", "pay.test"] {
        assert!(is_trusted(&ca(&data), &ours.chain, name, NOW), "{name}");
    }
    let authority =
        authority::stored_authority(data.path(), &served.names.into_iter().collect(), NOW);
    let authority = authority.unwrap().unwrap();
    let issued = |name: &str| {
        let params = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let issuer = rcgen::Issuer::from_params(&authority.params, &authority.key);
        let certificate = params.signed_by(&key, &issuer).unwrap();
        is_trusted(&ca(&data), certificate.pem().as_bytes(), name, NOW)
    };
    for (name, permitted) in [
        ("bank.example", false),
        ("test", false),
        ("203.0.113.7", false),
        ("10.1.2.3", true),
        ("192.168.1.7", true),
        ("www.pay.test", true),
    ] {
        assert_eq!(issued(name), permitted, "{name}");
    }
}

#[test]
fn the_authority_is_published_again_a_year_before_its_end_and_either_one_is_trusted() {
    let data = TempDir::new().unwrap();
    let served = server("127.0.0.1:0");
    material(data.path(), &served, NOW).unwrap();
    let first = ca(&data);
    material(data.path(), &served, NOW.plus(DAY * 365)).unwrap();
    assert_eq!(ca(&data), first);
    let then = NOW.plus(DAY * 366);
    let renewed = material(data.path(), &served, then).unwrap();
    assert_ne!(ca(&data), first);
    for trusted in [first, ca(&data)] {
        assert!(is_trusted(&trusted, &renewed.chain, "localhost", then));
    }
    let later = NOW.plus(DAY * (366 + 700));
    let last = material(data.path(), &served, later).unwrap();
    assert!(is_trusted(&ca(&data), &last.chain, "localhost", later));
}

#[test]
fn another_name_is_permitted_once_it_is_served() {
    let data = TempDir::new().unwrap();
    let mut served = server("127.0.0.1:0");
    material(data.path(), &served, NOW).unwrap();
    let first = ca(&data);
    served.listen = "10.0.0.5:0".parse().unwrap();
    let moved = material(data.path(), &served, NOW).unwrap();
    assert_eq!(ca(&data), first);
    assert!(is_trusted(&first, &moved.chain, "10.0.0.5", NOW));
    served.names = vec!["pay.test".into()];
    let named = material(data.path(), &served, NOW).unwrap();
    assert!(is_trusted(&ca(&data), &named.chain, "pay.test", NOW));
    assert!(!is_trusted(&first, &named.chain, "pay.test", NOW));
}

#[tokio::test]
async fn a_gateway_that_runs_on_shows_another_certificate_before_its_own_ends() {
    let data = TempDir::new().unwrap();
    let served = server("127.0.0.1:0");
    let clock = ManualClock::start();
    let first = material(data.path(), &served, clock.now()).unwrap();
    let shown = Mutex::new(first.chain.clone());
    let show = |material: Material| {
        *shown.lock().unwrap() = material.chain;
        Ok(())
    };
    let renewing = renew_hourly((data.path(), &served), &*clock, show);
    let watching = async {
        for (days, is_first) in [(59, true), (2, false)] {
            for _ in 0..days * 24 {
                clock.advance_to_next().await;
            }
            assert_eq!(*shown.lock().unwrap() == first.chain, is_first, "{days}");
        }
        let now = shown.lock().unwrap().clone();
        assert!(is_trusted(&ca(&data), &now, "localhost", clock.now()));
    };
    tokio::select! {
        () = renewing => panic!("it ended"),
        () = watching => {}
    }
}
