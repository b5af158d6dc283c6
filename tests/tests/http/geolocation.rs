//! The lookup of IP addresses with databases of the operator and a server of the DNS, all on this
//! machine.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::Duration;
use tests::folder::{Folder, QUICK};
use tests::merchant::Merchant;
use tests::process::{Launch, Server};
use tests::{program, shape};

use crate::cases::geolocation::answer;

const PATH: &str = "/geolocation/ipaddress?ipAddress=";

/// A database made for tests.
fn database(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root
        .join("crates/ip-intelligence/tests/databases")
        .join(name);
    let path = path.canonicalize().expect("a database");
    path.to_str().expect("UTF-8").to_owned()
}

async fn ask(environment: Vec<(&'static str, String)>, address: &str) -> String {
    let folder = Folder::with(QUICK);
    let account = folder.account("Lookups", "1.00");
    let launch = Launch {
        environment,
        ..Launch::default()
    };
    let server = Server::launch(&folder, &launch);
    let merchant = Merchant::new(&folder, server.address(), &account);
    let answer = merchant.get(&format!("{PATH}{address}")).await;
    answer.with_status(200).body
}

/// A server of the DNS that calls every address by one name, or says nothing. It ends with the
/// suite.
fn dns(name: Option<&'static str>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut packet = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut packet) {
            if let Some(name) = name {
                let answer = named(&packet[..length], name);
                socket.send_to(&answer, client).expect("the answer is sent");
            }
        }
    });
    address
}

/// The question with a name as its answer (RFC 1035 §4.1).
fn named(question: &[u8], name: &str) -> Vec<u8> {
    let labels = &question[12..];
    let end = labels.iter().position(|byte| *byte == 0).expect("an end");
    // Behind the name that is asked about come its type and its class.
    let mut answer = question[..12 + end + 5].to_vec();
    answer[2..12].copy_from_slice(&[0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    let mut data = Vec::new();
    for label in name.split('.') {
        data.push(u8::try_from(label.len()).expect("a short label"));
        data.extend(label.bytes());
    }
    data.push(0);
    answer.extend([0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 60, 0]);
    answer.push(u8::try_from(data.len()).expect("a short name"));
    answer.extend(data);
    answer
}

#[tokio::test]
async fn the_databases_of_the_operator_and_the_dns_fill_every_field_there_is_a_source_for() {
    let environment = vec![
        ("MANILLA_LOOKUP_CITY_DB", database("city.mmdb")),
        ("MANILLA_LOOKUP_ISP_DB", database("isp.mmdb")),
        ("MANILLA_LOOKUP_ANONYMITY_DB", database("anonymity.mmdb")),
        (
            "MANILLA_LOOKUP_DNS",
            dns(Some("host.mtn.example")).to_string(),
        ),
    ];
    let body = ask(environment, "197.210.64.1").await;
    let known = [
        ("registryName", "\"AS64500 Example Announcer\""),
        ("registryCode", "\"Unavailable\""),
        ("ispName", "\"Example Mobile\""),
        ("ispCompany", "\"Example Subscriber\""),
        ("continentName", "\"Africa\""),
        ("continentCode", "\"AF\""),
        ("countryName", "\"Nigeria\""),
        ("countryCode", "\"NG\""),
        ("countryCurrency", "\"NGN\""),
        ("countryTimezone", "\"Africa/Lagos\""),
        ("utcOffset", "3600"),
        ("regionName", "\"Lagos\""),
        ("regionCode", "\"LA\""),
        ("cityName", "\"Lekki\""),
        ("cityZipcode", "\"106104\""),
        ("districtName", "\"Eti-Osa\""),
        ("locationLatitude", "6.4474"),
        ("locationLongitude", "3.4729"),
        ("dnsReserve", "\"host.mtn.example\""),
        ("isMobile", "true"),
        ("isProxy", "false"),
        ("isHosting", "false"),
    ];
    shape::check(&answer("197.210.64.1", &known), &body);
}

#[tokio::test]
async fn a_dns_that_says_nothing_costs_the_name_and_the_deadline_only() {
    let environment = vec![
        ("MANILLA_LOOKUP_DNS", dns(None).to_string()),
        ("MANILLA_LOOKUP_DNS_DEADLINE_MS", "100".to_owned()),
    ];
    let asked = ask(environment, "197.210.64.1");
    let body = tokio::time::timeout(Duration::from_secs(30), asked).await;
    let body = body.expect("an answer in time");
    assert!(body.contains("\"countryCode\":\"NG\""), "{body}");
    assert!(body.contains("\"dnsReserve\":\"Unavailable\""), "{body}");
}

#[test]
fn a_database_that_cannot_be_used_keeps_the_server_from_starting_and_is_named() {
    let wrong = [
        (
            "MANILLA_LOOKUP_CITY_DB",
            "lookup.city_db",
            database("isp.mmdb"),
        ),
        (
            "MANILLA_LOOKUP_ISP_DB",
            "lookup.isp_db",
            database("city.mmdb"),
        ),
        (
            "MANILLA_LOOKUP_ANONYMITY_DB",
            "lookup.anonymity_db",
            database("make.py"),
        ),
    ];
    for (variable, setting, path) in wrong {
        let folder = Folder::with(QUICK);
        let mut command = folder.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env(variable, &path);
        let said = program::run(command).refused();
        assert!(said.stderr.contains(setting), "{said:?}");
        assert!(said.stderr.contains(&path), "{said:?}");
    }
}
