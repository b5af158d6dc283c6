//! Lookups at a name server of the test. No server of the network may be asked.

use super::*;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use tokio::net::UdpSocket;

/// The answer of the server for a name, by its first label.
enum Reply {
    /// These addresses, of whichever version is asked for.
    Addresses(Ipv4Addr, Option<Ipv6Addr>),
    /// An error of this code.
    Code(u8),
    Silence,
}

/// A name server that counts what it is asked. `shop` has another address each time.
struct NameServer {
    socket: UdpSocket,
    asked: AtomicUsize,
    changing: AtomicU8,
}

impl NameServer {
    async fn start() -> Self {
        Self {
            socket: UdpSocket::bind("127.0.0.1:0").await.unwrap(),
            asked: AtomicUsize::new(0),
            changing: AtomicU8::new(0),
        }
    }

    fn reply(&self, name: &str) -> Reply {
        let changing = |step| self.changing.fetch_add(step, Ordering::SeqCst);
        let v4 = Ipv4Addr::new(93, 184, 215, 14);
        match name {
            "shop.example" => Reply::Addresses(Ipv4Addr::new(93, 184, 215, changing(1)), None),
            "both.example" => Reply::Addresses(v4, Some(Ipv6Addr::LOCALHOST)),
            "till.lan.example" => Reply::Addresses(v4, None),
            "failing.example" => Reply::Code(2),
            "refused.example" => Reply::Code(5),
            "silent.example" => Reply::Silence,
            _ => Reply::Code(3),
        }
    }

    async fn serve(&self) -> ! {
        let mut packet = [0; 512];
        loop {
            let (length, client) = self.socket.recv_from(&mut packet).await.unwrap();
            self.asked.fetch_add(1, Ordering::SeqCst);
            if let Some(answer) = self.answer(&packet[..length]) {
                self.socket.send_to(&answer, client).await.unwrap();
            }
        }
    }

    /// The answer to a query (RFC 1035 §4.1).
    fn answer(&self, query: &[u8]) -> Option<Vec<u8>> {
        let labels: Vec<u8> = query[12..]
            .iter()
            .copied()
            .take_while(|b| *b != 0)
            .collect();
        let end = 12 + labels.len() + 5;
        let is_v6 = query[end - 3] == 28;
        let mut name = Vec::new();
        let mut rest = labels.as_slice();
        while let [length, tail @ ..] = rest {
            let (label, tail) = tail.split_at(usize::from(*length));
            name.push(String::from_utf8(label.to_vec()).unwrap());
            rest = tail;
        }
        let (code, address) = match self.reply(&name.join(".")) {
            Reply::Silence => return None,
            Reply::Code(code) => (code, None),
            Reply::Addresses(_, v6) if is_v6 => (0, v6.map(|v6| v6.octets().to_vec())),
            Reply::Addresses(v4, _) => (0, Some(v4.octets().to_vec())),
        };
        let mut answer = query[..end].to_vec();
        let count = u8::from(address.is_some());
        answer[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0]);
        if let Some(address) = address {
            // A pointer to the queried name, an address in the Internet, for an hour.
            let kind = if is_v6 { 28 } else { 1 };
            answer.extend([0xc0, 12, 0, kind, 0, 1, 0, 0, 0x0e, 0x10, 0]);
            answer.push(u8::try_from(address.len()).unwrap());
            answer.extend(address);
        }
        Some(answer)
    }

    fn setup(&self, hosts: &str) -> NameSetup {
        setup(self.socket.local_addr().unwrap(), hosts)
    }

    /// Looks names up, one after the other.
    async fn look_up(
        &self,
        hosts: &str,
        names: &[&str],
    ) -> Vec<Result<Vec<IpAddr>, io::ErrorKind>> {
        let lookups = async {
            let mut found = Vec::new();
            for name in names {
                let answer = self.setup(hosts).look_up(name).await;
                found.push(answer.map_err(|error| error.kind()));
            }
            found
        };
        tokio::select! {
            found = lookups => found,
            never = self.serve() => never,
        }
    }
}

fn setup(server: SocketAddr, hosts: &str) -> NameSetup {
    let mut connection = ConnectionConfig::udp();
    connection.port = server.port();
    let server = NameServerConfig::new(server.ip(), true, vec![connection]);
    let search = vec![Name::from_ascii("lan.example").unwrap()];
    let config = ResolverConfig::from_parts(None, search, vec![server]);
    let mut options = ResolverOpts::default();
    options.timeout = Duration::from_millis(200);
    options.attempts = 1;
    let mut setup = NameSetup {
        servers: Some((config, options)),
        ..NameSetup::default()
    };
    setup.hosts.read_hosts_conf(hosts.as_bytes()).unwrap();
    setup
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_name_has_all_its_addresses_and_no_answer_is_stored() {
    let server = NameServer::start().await;
    let names = ["both.example", "shop.example", "shop.example"];
    let found = server.look_up("", &names).await;
    let [both, first, second] = found.try_into().unwrap();
    assert_eq!(both, Ok(vec![ip("93.184.215.14"), ip("::1")]));
    assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
    assert_ne!(first, second);
}

#[tokio::test]
async fn the_hosts_file_goes_before_the_servers_with_all_it_lists() {
    let server = NameServer::start().await;
    let hosts = "10.0.0.7 shop.example till # the till\nfd00::7 shop.example\n";
    let found = server.look_up(hosts, &["shop.example", "SHOP.example.", "till"]);
    let listed = Ok(vec![ip("10.0.0.7"), ip("fd00::7")]);
    let till = Ok(vec![ip("10.0.0.7")]);
    assert_eq!(found.await, [listed.clone(), listed, till]);
    assert_eq!(server.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn no_answer_of_a_server_differs_from_a_name_that_does_not_exist() {
    let server = NameServer::start().await;
    let names = [
        "unknown.example",
        "failing.example",
        "refused.example",
        "silent.example",
        &format!("{}.example", "a".repeat(64)),
    ];
    let found = server.look_up("", &names).await;
    let kinds: Vec<_> = found.into_iter().map(Result::unwrap_err).collect();
    assert_eq!(
        kinds,
        [
            io::ErrorKind::NotFound,
            NO_ANSWER,
            NO_ANSWER,
            NO_ANSWER,
            io::ErrorKind::InvalidInput
        ]
    );
}

#[tokio::test]
async fn a_machine_without_servers_has_its_hosts_file_alone() {
    let mut setup = NameSetup::default();
    setup.hosts.read_hosts_conf(&b"10.0.0.7 till"[..]).unwrap();
    assert_eq!(setup.look_up("till").await.unwrap(), [ip("10.0.0.7")]);
    let found = NameSetup::default().look_up("shop.example").await;
    assert_eq!(found.unwrap_err().kind(), NO_ANSWER);
}

#[tokio::test]
async fn domains_are_searched_except_for_a_name_with_a_final_dot() {
    let server = NameServer::start().await;
    let found = server.look_up("", &["till", "till."]).await;
    let till = Ok(vec![ip("93.184.215.14")]);
    assert_eq!(found, [till, Err(io::ErrorKind::NotFound)]);
}

#[test]
fn a_name_with_enough_dots_is_tried_before_the_domains_are_searched() {
    let (config, _) = setup("127.0.0.1:53".parse().unwrap(), "").servers.unwrap();
    let names = |name: &str, ndots| -> Vec<_> {
        let all = candidates(&Name::from_utf8(name).unwrap(), &config, ndots);
        all.iter().map(Name::to_string).collect()
    };
    let searched = ["shop.example.lan.example.", "shop.example."];
    assert_eq!(names("shop.example", 2), searched);
    assert_eq!(names("shop.example", 1), [searched[1], searched[0]]);
    assert_eq!(names("shop.example.", 2), ["shop.example."]);
}
