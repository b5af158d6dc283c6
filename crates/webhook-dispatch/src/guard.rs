//! Which addresses may be delivered to: what keeps a merchant from having the gateway call whatever
//! stands beside it. It must judge addresses by their numbers, never by how they are written.

mod address;
mod machine;
mod resolver;
mod rule;
#[cfg(test)]
mod tests;

use async_trait::async_trait;
use domain::account::AccountId;
use domain::webhook::Target;
use ipnet::IpNet;
use ports::webhooks::{RejectedUrl, WebhookUrlPolicy};
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use url::{Host, ParseError, Url};

pub use resolver::{HostResolver, LookupPriority, MerchantNumber, SystemResolver};
pub(crate) use rule::AddressRule;

/// How long a merchant who makes an endpoint waits for the DNS.
const LOOKUP_MAX: Duration = Duration::from_secs(5);

/// What names end with that mean something else on every network (RFC 6762, RFC 8375, and the
/// top-level domain that ICANN keeps for private use).
const LOCAL_NAMES: [&str; 3] = [".local", ".internal", ".home.arpa"];

/// Whether this machine itself may be delivered to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loopback {
    /// No.
    #[default]
    Refused,
    /// Yes, without TLS as well: for trying things out.
    Allowed,
}

/// What an operator decides about addresses.
#[derive(Debug, Clone, Default)]
pub struct UrlGuardSettings {
    /// Networks that are delivered to although they are not public.
    pub allowed: Vec<IpNet>,
    /// Whether this machine itself is.
    pub loopback: Loopback,
    /// Where this gateway listens: never delivered to, whatever is allowed.
    pub own: Vec<SocketAddr>,
    /// What this gateway is called by its merchants, whatever stands in front of it: never
    /// delivered to either.
    pub names: Vec<String>,
}

/// Whose port is dialled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Port {
    /// One that this gateway listens at.
    Ours,
    /// Any other.
    Another,
}

/// An address whose form is fit, and its literal, if it is one, too. What a name resolves to is
/// judged when it is dialled.
#[derive(Debug)]
pub(crate) struct Examined {
    pub(crate) url: Url,
    pub(crate) port: Port,
}

/// Judges addresses.
#[derive(Debug)]
pub struct Guard {
    settings: UrlGuardSettings,
    resolver: Arc<dyn HostResolver>,
    /// Numbers the accounts of merchants.
    merchants: RandomState,
}

impl Guard {
    /// A guard that asks a resolver what names mean.
    pub fn new(settings: UrlGuardSettings, resolver: Arc<dyn HostResolver>) -> Self {
        Self {
            settings,
            resolver,
            merchants: RandomState::new(),
        }
    }

    /// Examines an address without a lookup.
    pub(crate) fn examine(&self, text: &str) -> Result<Examined, AddressRule> {
        if text.len() > Target::LENGTH_MAX {
            return Err(AddressRule::TooLong);
        }
        // The parser drops or turns these without a word, and what reads the log does not.
        let odd = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
        if text.chars().any(odd) {
            return Err(AddressRule::OddCharacter);
        }
        let url = Url::parse(text).map_err(|error| {
            if error == ParseError::InvalidPort {
                AddressRule::Port
            } else {
                AddressRule::Malformed
            }
        })?;
        let authority = text.split_once("://").map_or("", |(_, rest)| rest);
        let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') || !url.username().is_empty() || url.password().is_some() {
            return Err(AddressRule::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(AddressRule::Fragment);
        }
        let number = url.port_or_known_default().ok_or(AddressRule::NotSecure)?;
        if number == 0 {
            return Err(AddressRule::Port);
        }
        let ours = self.settings.own.iter().any(|own| own.port() == number);
        let port = if ours { Port::Ours } else { Port::Another };
        let host = url.host().ok_or(AddressRule::Malformed)?;
        self.scheme(url.scheme(), &host)?;
        match host {
            Host::Domain(name) => self.name(name)?,
            Host::Ipv4(address) => self.judge(address.into(), port)?,
            Host::Ipv6(address) => self.judge(address.into(), port)?,
        }
        Ok(Examined { url, port })
    }

    /// Every address of a name, all of them fit. One that is not refuses all: which of them is
    /// dialled is chance. Why it is refused is not said, for that would say what a name means here.
    pub(crate) async fn addresses(
        &self,
        name: &str,
        port: Port,
        asker: LookupPriority,
    ) -> Result<Vec<IpAddr>, AddressRule> {
        let addresses = if is_localhost(name) {
            // It always means this machine (RFC 6761 §6.3), whatever a server answers.
            vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
        } else {
            let found = self.resolver.addresses(name, asker).await;
            found.map_err(|error| {
                if error.kind() == machine::NO_ANSWER {
                    AddressRule::NotLookedUp
                } else {
                    AddressRule::Unresolved
                }
            })?
        };
        if addresses.is_empty() {
            return Err(AddressRule::Unresolved);
        }
        let fit = |address: &IpAddr| self.judge(*address, port).is_ok();
        if addresses.iter().all(fit) {
            Ok(addresses)
        } else {
            Err(AddressRule::Unresolved)
        }
    }

    fn scheme(&self, scheme: &str, host: &Host<&str>) -> Result<(), AddressRule> {
        let on_this_machine = match host {
            Host::Domain(name) => is_localhost(name),
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => IpAddr::from(*address).to_canonical().is_loopback(),
        };
        match (scheme, self.settings.loopback) {
            ("https", _) => Ok(()),
            ("http", Loopback::Allowed) if on_this_machine => Ok(()),
            (_, Loopback::Allowed) => Err(AddressRule::NotSecureHere),
            (_, Loopback::Refused) => Err(AddressRule::NotSecure),
        }
    }

    /// Says early and clearly what the judgement of the addresses would say in the end.
    fn name(&self, name: &str) -> Result<(), AddressRule> {
        if self.settings.names.iter().any(|own| is_same(own, name)) {
            return Err(AddressRule::Ourselves);
        }
        let name = name.strip_suffix('.').unwrap_or(name);
        // An operator who allows networks of their own may name what is in them freely.
        if is_localhost(name) || !self.settings.allowed.is_empty() {
            Ok(())
        } else if !name.contains('.') {
            Err(AddressRule::SingleLabel)
        } else if LOCAL_NAMES.iter().any(|local| name.ends_with(local)) {
            Err(AddressRule::LocalName)
        } else {
            Ok(())
        }
    }

    fn judge(&self, address: IpAddr, port: Port) -> Result<(), AddressRule> {
        address::judge(&self.settings, address, port)
    }
}

#[async_trait]
impl WebhookUrlPolicy for Guard {
    async fn check(&self, account: &AccountId, url: &str) -> Result<Target, RejectedUrl> {
        let target = self.form(url)?;
        let Examined { url, port } = self.examine(url)?;
        if let Some(Host::Domain(name)) = url.host() {
            let asker = LookupPriority::Merchant(MerchantNumber(self.merchants.hash_one(account)));
            let looked_up = timeout(LOOKUP_MAX, self.addresses(name, port, asker)).await;
            looked_up.unwrap_or(Err(AddressRule::NotLookedUp))?;
        }
        Ok(target)
    }

    fn form(&self, url: &str) -> Result<Target, RejectedUrl> {
        let text: String = self.examine(url)?.url.into();
        // Written as it is dialled, it can be longer than it was.
        if text.len() > Target::LENGTH_MAX {
            return Err(AddressRule::TooLong.into());
        }
        Ok(Target::checked(text))
    }
}

/// Whether a name as an operator writes it is one as the parser does: in small letters, and what is
/// not ASCII spelled out.
fn is_same(own: &str, name: &str) -> bool {
    let own = Host::parse(own.trim().trim_end_matches('.'));
    own.is_ok_and(|own| own.to_string() == name.trim_end_matches('.'))
}

fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}
