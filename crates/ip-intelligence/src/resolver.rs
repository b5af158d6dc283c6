//! Reverse DNS lookups of addresses. It must query nothing but names, and cache answers only as
//! long as their time to live allows and an hour at most.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use async_trait::async_trait;
use domain::geolocation::Address;
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::{RData, RecordType};
use ports::geolocation::ReverseNames;

/// How many answers are cached: some hundred bytes each, so that all of them are well below a
/// megabyte.
const REMEMBERED_MAX: u64 = 1024;

/// How long an answer is cached at most: a changed name is seen within this time.
const REMEMBERED_FOR: Duration = Duration::from_hours(1);

/// A name longer than the DNS allows (RFC 1035 §2.3.4) is not returned.
const NAME_LENGTH_MAX: usize = 253;

/// The longest name of a system: registries keep them short.
const SYSTEM_NAME_MAX: usize = 100;

/// The name servers to query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Servers {
    /// Those of the machine.
    System,
    /// These, over UDP and TCP.
    These(Vec<SocketAddr>),
}

/// No name server is known.
#[derive(Debug, thiserror::Error)]
#[error("the DNS servers cannot be used")]
pub struct ResolverError(#[from] NetError);

/// Queries name servers.
pub struct ReverseResolver {
    servers: TokioResolver,
    /// The zone with the names of autonomous systems; `None` disables these queries.
    systems: Option<String>,
}

impl std::fmt::Debug for ReverseResolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Resolver").finish_non_exhaustive()
    }
}

impl ReverseResolver {
    /// A resolver that queries some servers with a timeout. It sends nothing before the first
    /// lookup.
    ///
    /// # Errors
    /// When the machine does not name its servers.
    pub fn new(
        servers: &Servers,
        systems: Option<String>,
        deadline: Duration,
    ) -> Result<Self, ResolverError> {
        let mut builder = match servers {
            Servers::System => TokioResolver::builder_tokio()?,
            Servers::These(addresses) => {
                let config = ResolverConfig::from_name_servers(
                    addresses.iter().copied().map(name_server).collect(),
                );
                TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
            }
        };
        limit(builder.options_mut(), deadline);
        let servers = builder.build()?;
        Ok(Self { servers, systems })
    }
}

fn limit(options: &mut ResolverOpts, deadline: Duration) {
    options.timeout = deadline;
    // No caller waits long enough for a third attempt.
    options.attempts = 1;
    options.cache_size = REMEMBERED_MAX;
    options.positive_max_ttl = Some(REMEMBERED_FOR);
    options.negative_max_ttl = Some(REMEMBERED_FOR);
    // The machine's own hosts file holds no public names.
    options.use_hosts_file = ResolveHosts::Never;
}

fn name_server(address: SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
    let connections = connections.map(|mut connection| {
        connection.port = address.port();
        connection
    });
    NameServerConfig::new(address.ip(), true, connections.into())
}

#[async_trait]
impl ReverseNames for ReverseResolver {
    async fn name(&self, address: Address) -> Option<String> {
        let address: IpAddr = address.get();
        // A missing name and a missing answer are the same to the caller.
        let answer = self.servers.reverse_lookup(address).await.ok()?;
        answer.answers().iter().find_map(|record| {
            let RData::PTR(name) = &record.data else {
                return None;
            };
            presentable(&name.to_ascii())
        })
    }

    async fn address(&self, name: &str, address: Address) -> Option<Address> {
        // A name with a final dot is not tried with search domains.
        let answer = self.servers.lookup_ip(format!("{name}.")).await.ok()?;
        let found: Vec<_> = answer.iter().map(Address::new).collect();
        let itself = found.iter().find(|it| **it == address);
        itself.or_else(|| found.first()).copied()
    }

    async fn system(&self, number: u32) -> Option<String> {
        let name = format!("AS{number}.{}.", self.systems.as_ref()?);
        let answer = self.servers.lookup(name, RecordType::TXT).await.ok()?;
        answer.answers().iter().find_map(|record| {
            let RData::TXT(text) = &record.data else {
                return None;
            };
            system_name(&text.txt_data.concat())
        })
    }
}

/// The name in a record of a system, which is the last of its parts, such as `15169 | US | arin |
/// 2000-03-30 | GOOGLE, US`: without the country that follows it.
fn system_name(record: &[u8]) -> Option<String> {
    let record = std::str::from_utf8(record).ok()?;
    let (_, name) = record.rsplit_once('|')?;
    let name = match name.rsplit_once(", ") {
        Some((name, country)) if country.len() == 2 => name,
        _ => name,
    };
    let name = name.trim();
    let fits = !name.is_empty() && name.len() <= SYSTEM_NAME_MAX;
    (fits && !name.contains(char::is_control)).then(|| name.to_owned())
}

/// A name in the form that is shown: without its final dot, and only if it is a valid name. The
/// owner of an address chooses its name, so any text may arrive.
fn presentable(name: &str) -> Option<String> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    let fits = !name.is_empty() && name.len() <= NAME_LENGTH_MAX && name.bytes().all(allowed);
    fits.then(|| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::net::UdpSocket;

    /// The answer of a test name server.
    #[derive(Debug, Clone, Copy)]
    enum Says {
        /// This name.
        Name(&'static str),
        /// No such name.
        NoName,
        Nothing,
    }

    /// A name server on this machine, and the number of its queries.
    struct Server {
        socket: UdpSocket,
        says: Says,
        asked: AtomicUsize,
    }

    impl Server {
        async fn that(says: Says) -> Self {
            Self {
                socket: UdpSocket::bind("127.0.0.1:0").await.unwrap(),
                says,
                asked: AtomicUsize::new(0),
            }
        }

        async fn serve(&self) -> ! {
            let mut packet = [0; 512];
            loop {
                let (length, client) = self.socket.recv_from(&mut packet).await.unwrap();
                self.asked.fetch_add(1, Ordering::SeqCst);
                let answer = match self.says {
                    Says::Name(name) => answer(&packet[..length], Some(name)),
                    Says::NoName => answer(&packet[..length], None),
                    Says::Nothing => continue,
                };
                self.socket.send_to(&answer, client).await.unwrap();
            }
        }

        /// Looks up the names of some addresses.
        async fn names(&self, addresses: &[&str]) -> Vec<Option<String>> {
            let servers = Servers::These(vec![self.socket.local_addr().unwrap()]);
            let resolver =
                ReverseResolver::new(&servers, None, Duration::from_millis(200)).unwrap();
            let asked = async {
                let mut names = Vec::new();
                for address in addresses {
                    names.push(resolver.name(Address::parse(address).unwrap()).await);
                }
                names
            };
            tokio::select! {
                names = asked => names,
                never = self.serve() => never,
            }
        }
    }

    /// The answer to a query (RFC 1035 §4.1).
    fn answer(question: &[u8], name: Option<&str>) -> Vec<u8> {
        // The queried name ends with an empty label, and a type and a class follow.
        let asked =
            question.len().min(12) + question[12..].iter().position(|byte| *byte == 0).unwrap() + 5;
        let mut answer = question[..asked].to_vec();
        let (code, answers) = if name.is_some() { (0, 1) } else { (3, 0) };
        answer[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, answers, 0, 0, 0, 0]);
        if let Some(name) = name {
            let mut data = Vec::new();
            for label in name.split('.') {
                data.push(u8::try_from(label.len()).unwrap());
                data.extend(label.bytes());
            }
            data.push(0);
            // A pointer to the queried name, a name in the Internet, for a minute.
            answer.extend([0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 60, 0]);
            answer.push(u8::try_from(data.len()).unwrap());
            answer.extend(data);
        }
        answer
    }

    #[tokio::test]
    async fn a_name_is_reported_without_the_dot_at_its_end_in_either_version() {
        let server = Server::that(Says::Name("DNS.Google")).await;
        let names = server.names(&["8.8.8.8", "2001:4860:4860::8888"]).await;
        assert_eq!(
            names,
            [Some("dns.google".into()), Some("dns.google".into())]
        );
    }

    #[tokio::test]
    async fn an_answer_is_remembered() {
        let server = Server::that(Says::Name("dns.google")).await;
        let names = server.names(&["8.8.8.8", "8.8.8.8"]).await;
        assert_eq!(names[0], names[1]);
        assert_eq!(server.asked.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn an_address_without_a_name_has_none() {
        let server = Server::that(Says::NoName).await;
        assert_eq!(server.names(&["8.8.8.8"]).await, [None]);
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_given_up() {
        let server = Server::that(Says::Nothing).await;
        assert_eq!(server.names(&["8.8.8.8"]).await, [None]);
        assert!(server.asked.load(Ordering::SeqCst) > 0);
    }

    #[test]
    fn the_name_of_a_system_is_the_last_part_of_its_record_without_the_country() {
        let name = |record: &str| system_name(record.as_bytes());
        for (record, expected) in [
            (
                "15169 | US | arin | 2000-03-30 | GOOGLE, US",
                Some("GOOGLE"),
            ),
            (
                "29465 | NG | afrinic | 2003-11-06 | VCG-AS, NG",
                Some("VCG-AS"),
            ),
            (
                "1 | US | arin | 2001-09-20 | LVLT-1 - A, Inc., US",
                Some("LVLT-1 - A, Inc."),
            ),
            ("64500 | ZZ | none | | NAMELESS", Some("NAMELESS")),
            ("64500 | ZZ | none | | ", None),
            ("host.example", None),
            ("1 | a\u{7}b", None),
        ] {
            assert_eq!(name(record).as_deref(), expected, "{record}");
        }
        assert_eq!(system_name(&[b'|', 0xff]), None);
        assert_eq!(name(&format!("1 | {}", "a".repeat(101))), None);
    }

    #[test]
    fn a_name_that_is_no_name_is_none() {
        let name = |name: &str| presentable(name);
        assert_eq!(name("Host-1.example.NG."), Some("host-1.example.ng".into()));
        assert_eq!(
            name("1/26.2.0.192.in-addr.arpa."),
            Some("1/26.2.0.192.in-addr.arpa".into())
        );
        for odd in [
            "",
            ".",
            "a b.example.",
            "<b>.example.",
            "\\000.example.",
            "\u{202e}.example",
        ] {
            assert_eq!(name(odd), None, "{odd:?}");
        }
        assert_eq!(name(&"a".repeat(254)), None);
    }
}
