//! The lookup of IP addresses with databases of the operator and a server of the DNS, all on this
//! machine.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::Duration;
use tests::folder::{GatewayFolder, QUICK};
use tests::merchant::TestMerchant;
use tests::process::{GatewayProcess, Launch};
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
    let folder = GatewayFolder::with(QUICK);
    let account = folder.account("Lookups", "1.00");
    let launch = Launch {
        environment,
        ..Launch::default()
    };
    let server = GatewayProcess::launch(&folder, &launch);
    let merchant = TestMerchant::new(&folder, server.address(), &account);
    let answer = merchant.get(&format!("{PATH}{address}")).await;
    answer.with_status(200).body
}

/// What a server of the DNS says: the name of every address, where every name leads to, and what
/// every other record holds.
#[derive(Clone, Copy)]
struct Says {
    name: &'static str,
    address: [u8; 4],
    text: &'static str,
}

/// A server of the DNS that answers every question alike, or says nothing. It ends with the suite.
fn dns(says: Option<Says>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = socket.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut packet = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut packet) {
            if let Some(says) = says {
                let answer = answered(&packet[..length], says);
                socket.send_to(&answer, client).expect("the answer is sent");
            }
        }
    });
    address
}

/// The question with its answer (RFC 1035 §4.1); without one where it is about IPv6.
fn answered(question: &[u8], says: Says) -> Vec<u8> {
    const A: u8 = 1;
    const PTR: u8 = 12;
    const TXT: u8 = 16;
    let labels = &question[12..];
    let end = labels.iter().position(|byte| *byte == 0).expect("an end");
    // Behind the name that is asked about come its type and its class.
    let asked = 12 + end + 5;
    let kind = question[asked - 3];
    let counted = |text: &str| {
        let length = u8::try_from(text.len()).expect("a short text");
        [&[length], text.as_bytes()].concat()
    };
    let data = match kind {
        PTR => {
            let labels = says.name.split('.').flat_map(counted);
            labels.chain([0]).collect()
        }
        A => says.address.to_vec(),
        TXT => counted(says.text),
        _ => Vec::new(),
    };
    let answers = u8::from(!data.is_empty());
    let mut answer = question[..asked].to_vec();
    answer[2..12].copy_from_slice(&[0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0]);
    if answers > 0 {
        answer.extend([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0]);
        answer.push(u8::try_from(data.len()).expect("a short answer"));
        answer.extend(data);
    }
    answer
}

#[tokio::test]
async fn the_databases_of_the_operator_and_the_dns_fill_every_field() {
    let says = Says {
        name: "host.mtn.example",
        address: [197, 210, 64, 1],
        text: "64500 | NG | afrinic | 2026-01-01 | MTNNS-AS, NG",
    };
    let environment = vec![
        ("MANILLA_LOOKUP_CITY_DB", database("city.mmdb")),
        ("MANILLA_LOOKUP_ISP_DB", database("isp.mmdb")),
        ("MANILLA_LOOKUP_ANONYMITY_DB", database("anonymity.mmdb")),
        ("MANILLA_LOOKUP_DNS", dns(Some(says)).to_string()),
    ];
    let body = ask(environment, "197.210.64.1").await;
    let known = [
        ("registryName", "\"AS64500 Example Announcer\""),
        ("registryCode", "\"MTNNS-AS\""),
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
        ("dnsIPaddress", "\"197.210.64.1\""),
        ("dnsProvider", "\"Nigeria - Example Mobile\""),
        ("ednsIPaddress", "\"197.210.64.0/24\""),
        ("ednsProvider", "\"Nigeria - Example Mobile\""),
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
        let folder = GatewayFolder::with(QUICK);
        let mut command = folder.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env(variable, &path);
        let said = program::run(command).refused();
        assert!(said.stderr.contains(setting), "{said:?}");
        assert!(said.stderr.contains(&path), "{said:?}");
    }
}
