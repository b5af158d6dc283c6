//! Lookups of names as the machine is set up: its hosts file first, then the name servers it names.
//! Both are read for every lookup, so nothing of an earlier one is used.

use async_trait::async_trait;
use hickory_resolver::config::{ResolveHosts, ResolverConfig, ResolverOpts};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::{Query, ResponseCode};
use hickory_resolver::proto::rr::{Name, Record, RecordType};
use hickory_resolver::{Hosts, TokioResolver, system_conf};
use std::io;
use std::net::IpAddr;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

#[cfg(test)]
mod tests;

/// How long a lookup takes at most, whatever the machine's own timeouts add up to: an attempt of a
/// delivery takes no longer.
const DEADLINE: Duration = Duration::from_secs(15);

/// What an error is of where no server of the DNS answered, so that nothing is known of the name:
/// neither this machine's own servers, nor those of the name.
pub(super) const NO_ANSWER: io::ErrorKind = io::ErrorKind::HostUnreachable;

/// The records that hold addresses.
const ADDRESSES: [RecordType; 2] = [RecordType::A, RecordType::AAAA];

/// Looks a name up, for as long as it takes.
#[async_trait]
pub(super) trait Machine: Send + Sync + std::fmt::Debug {
    async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// This machine.
#[derive(Debug)]
pub(super) struct ThisMachine;

#[async_trait]
impl Machine for ThisMachine {
    async fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let lookup = async {
            let setup = spawn_blocking(NameSetup::of_system);
            setup.await.map_err(io::Error::other)?.look_up(name).await
        };
        timeout(DEADLINE, lookup).await.unwrap_or_else(|_| {
            tracing::warn!("no server of the DNS answers for the name of an endpoint in time");
            Err(NO_ANSWER.into())
        })
    }
}

/// How names are looked up.
#[derive(Debug, Default)]
struct NameSetup {
    hosts: Hosts,
    /// The name servers with the domains to search, and their timeouts; `None` where the machine
    /// names no server.
    servers: Option<(ResolverConfig, ResolverOpts)>,
}

impl NameSetup {
    fn of_system() -> Self {
        let servers = system_conf::read_system_conf();
        let servers = servers.inspect_err(|error| {
            tracing::warn!(%error, "the name servers of this machine cannot be read");
        });
        Self {
            hosts: Hosts::from_system().unwrap_or_default(),
            servers: servers.ok(),
        }
    }

    /// Every address of a name: those of the hosts file where it has the name, or else what the
    /// servers answer for it and then for each domain that is searched.
    async fn look_up(self, name: &str) -> io::Result<Vec<IpAddr>> {
        let name = Name::from_utf8(name).map_err(|_| io::ErrorKind::InvalidInput)?;
        let listed: Vec<_> = ADDRESSES
            .into_iter()
            .filter_map(|kind| {
                let query = Query::query(name.clone(), kind);
                self.hosts.lookup_static_host(&query)
            })
            .flat_map(|found| addresses(found.answers()).collect::<Vec<_>>())
            .collect();
        if !listed.is_empty() {
            return Ok(listed);
        }
        let (config, options) = self.servers.ok_or(NO_ANSWER)?;
        let candidates = candidates(&name, &config, options.ndots);
        let resolver = resolver(config, options).map_err(|error| not_answered(&error))?;
        let mut unanswered = None;
        for candidate in candidates {
            match ask(&resolver, &candidate).await {
                Ok(found) if !found.is_empty() => return Ok(found),
                Ok(_) => {}
                Err(error) => unanswered = Some(error),
            }
        }
        Err(unanswered.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }
}

/// A resolver that stores no answer.
fn resolver(config: ResolverConfig, options: ResolverOpts) -> Result<TokioResolver, NetError> {
    let provider = TokioRuntimeProvider::default();
    let mut builder = TokioResolver::builder_with_config(config, provider).with_options(options);
    let options = builder.options_mut();
    // The machine counts attempts, the resolver repetitions.
    options.attempts = options.attempts.saturating_sub(1);
    options.cache_size = 0;
    options.positive_max_ttl = Some(Duration::ZERO);
    options.negative_max_ttl = Some(Duration::ZERO);
    options.use_hosts_file = ResolveHosts::Never;
    builder.build()
}

/// Every address of a full name, of both versions; none where the servers say that it has none.
async fn ask(resolver: &TokioResolver, name: &Name) -> io::Result<Vec<IpAddr>> {
    let [v4, v6] = ADDRESSES.map(|kind| resolver.lookup(name.clone(), kind));
    let (v4, v6) = tokio::join!(v4, v6);
    let mut found = Vec::new();
    let mut unanswered = None;
    for answer in [v4, v6] {
        match answer {
            Ok(answer) => found.extend(addresses(answer.answers())),
            Err(error) if has_no_record(&error) => {}
            Err(error) => unanswered = Some(error),
        }
    }
    match unanswered {
        Some(error) if found.is_empty() => Err(not_answered(&error)),
        _ => Ok(found),
    }
}

fn addresses(records: &[Record]) -> impl Iterator<Item = IpAddr> + '_ {
    records.iter().filter_map(|record| record.data.ip_addr())
}

/// Whether the servers answered, and there is nothing of the name.
fn has_no_record(error: &NetError) -> bool {
    let NetError::Dns(DnsError::NoRecordsFound(none)) = error else {
        return false;
    };
    matches!(
        none.response_code,
        ResponseCode::NXDomain | ResponseCode::NoError
    )
}

fn not_answered(error: &NetError) -> io::Error {
    tracing::warn!(%error, "no server of the DNS answers for the name of an endpoint");
    NO_ANSWER.into()
}

/// The full names that a name may stand for, in the order in which they are asked for. One with as
/// many dots as the machine says is tried as it is before the domains are searched.
fn candidates(name: &Name, config: &ResolverConfig, ndots: usize) -> Vec<Name> {
    let mut itself = name.clone();
    itself.set_fqdn(true);
    if name.is_fqdn() {
        return vec![itself];
    }
    let searched = config.search().iter();
    let searched = searched.filter_map(|domain| {
        let mut full = name.clone().append_domain(domain).ok()?;
        full.set_fqdn(true);
        Some(full)
    });
    let dots = usize::from(name.num_labels()).saturating_sub(1);
    let mut all: Vec<_> = searched.collect();
    let place = if dots >= ndots { 0 } else { all.len() };
    all.insert(place, itself);
    all
}
