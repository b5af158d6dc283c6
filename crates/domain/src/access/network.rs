//! Networks that requests may come from. A network must be written with its own address, so that
//! what is stored is what is meant.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Most networks of a key: enough for the offices and machines of a merchant, few enough to be
/// compared with every request.
pub const NETWORKS_MAX: usize = 20;

/// A network of IPv4 or IPv6 addresses, as CIDR has it (RFC 4632 §3.1, RFC 4291 §2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IpNetwork {
    /// Its first address.
    address: IpAddr,
    /// How many bits its addresses share.
    prefix: u8,
}

/// Why a text is not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIpNetwork {
    /// Neither an address nor an address, a slash and a number of bits.
    #[error("must be a network such as 203.0.113.0/24 or 2001:db8::/32, or one address")]
    Malformed,
    /// The address has bits beyond the prefix.
    #[error("has an address within the network; its own is {0}")]
    WithinNetwork(IpNetwork),
    /// An IPv4 address written as an IPv6 one: clients never come from there.
    #[error("must be written as the IPv4 network that it is")]
    Mapped,
}

impl IpNetwork {
    /// Reads a network; an address alone is a network of one.
    ///
    /// # Errors
    /// Refuses any other form, and an address that is not the first of its network.
    pub fn parse(text: &str) -> Result<Self, InvalidIpNetwork> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| InvalidIpNetwork::Malformed)?;
        if address.to_canonical() != address {
            return Err(InvalidIpNetwork::Mapped);
        }
        let prefix = match prefix {
            Some(digits) => bits(digits).ok_or(InvalidIpNetwork::Malformed)?,
            None => width(address),
        };
        if prefix > width(address) {
            return Err(InvalidIpNetwork::Malformed);
        }
        let network = Self {
            address: first(address, prefix),
            prefix,
        };
        if network.address == address {
            Ok(network)
        } else {
            Err(InvalidIpNetwork::WithinNetwork(network))
        }
    }

    /// Whether an address is in it.
    pub fn has(self, address: IpAddr) -> bool {
        width(address) == width(self.address) && first(address, self.prefix) == self.address
    }

    /// Whether every address of it is in another network.
    pub fn is_within(self, other: Self) -> bool {
        self.prefix >= other.prefix && other.has(self.address)
    }
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// The networks that a key may be used from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum AllowedNetworks {
    /// Every address.
    #[default]
    Everywhere,
    /// These networks, in order, none twice.
    Only(Vec<IpNetwork>),
}

impl AllowedNetworks {
    /// These networks and no other address; both networks of every address are everywhere.
    pub fn only(networks: impl IntoIterator<Item = IpNetwork>) -> Self {
        let mut networks: Vec<_> = networks.into_iter().collect();
        networks.sort_unstable();
        networks.dedup();
        let widest = networks.iter().filter(|network| network.prefix == 0);
        if widest.count() == 2 {
            return Self::Everywhere;
        }
        Self::Only(networks)
    }

    /// The networks; none where every address is allowed.
    pub fn networks(&self) -> &[IpNetwork] {
        match self {
            Self::Everywhere => &[],
            Self::Only(networks) => networks,
        }
    }

    /// Whether a request may come from an address.
    pub fn allow(&self, address: IpAddr) -> bool {
        // An IPv4 client of a dual-stack socket appears as an IPv6 address.
        let address = address.to_canonical();
        match self {
            Self::Everywhere => true,
            Self::Only(networks) => networks.iter().any(|network| network.has(address)),
        }
    }

    /// Whether each of them is within one of others.
    pub fn are_within(&self, others: &Self) -> bool {
        match (self, others) {
            (_, Self::Everywhere) => true,
            (Self::Everywhere, Self::Only(_)) => false,
            (Self::Only(these), Self::Only(others)) => these
                .iter()
                .all(|network| others.iter().any(|other| network.is_within(*other))),
        }
    }
}

fn bits(digits: &str) -> Option<u8> {
    let fits = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let is_plain = digits == "0" || !digits.starts_with('0');
    digits.parse().ok().filter(|_| fits && is_plain)
}

const fn width(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The first address of the network of so many bits that an address is in.
fn first(address: IpAddr, prefix: u8) -> IpAddr {
    let beyond = u32::from(width(address).saturating_sub(prefix));
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(beyond).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(beyond).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn network(text: &str) -> IpNetwork {
        IpNetwork::parse(text).unwrap()
    }

    #[test]
    fn a_network_is_written_with_its_own_address() {
        for text in [
            "203.0.113.0/24",
            "0.0.0.0/0",
            "192.0.2.7/32",
            "2001:db8::/32",
            "::/0",
        ] {
            assert_eq!(network(text).to_string(), text);
        }
        assert_eq!(network("192.0.2.7").to_string(), "192.0.2.7/32");
        assert_eq!(network("2001:db8::1").to_string(), "2001:db8::1/128");
        let refused = IpNetwork::parse("203.0.113.7/24").unwrap_err();
        let own = "has an address within the network; its own is 203.0.113.0/24";
        assert_eq!(refused.to_string(), own);
        let mapped = IpNetwork::parse("::ffff:192.0.2.0/120");
        assert_eq!(mapped, Err(InvalidIpNetwork::Mapped));
        for text in [
            "",
            "/",
            "/8",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/08",
            "10.0.0.0/+8",
            "10.0.0/8",
            "::/129",
            "10.0.0.0/8/8",
            " 10.0.0.0/8",
            "shop.example/8",
        ] {
            let refused = IpNetwork::parse(text);
            assert_eq!(refused, Err(InvalidIpNetwork::Malformed), "{text:?}");
        }
    }

    #[test]
    fn an_address_of_one_version_is_in_no_network_of_the_other() {
        let everything = AllowedNetworks::only([network("0.0.0.0/0")]);
        assert!(everything.allow("192.0.2.7".parse().unwrap()));
        assert!(everything.allow("::ffff:192.0.2.7".parse().unwrap()));
        assert!(!everything.allow("2001:db8::1".parse().unwrap()));
        assert!(!AllowedNetworks::only([]).allow("192.0.2.7".parse().unwrap()));
        assert!(!AllowedNetworks::Everywhere.are_within(&everything));
        let both = AllowedNetworks::only(["::/0", "0.0.0.0/0", "10.0.0.0/8"].map(network));
        assert_eq!(both, AllowedNetworks::Everywhere);
    }

    fn networks() -> impl Strategy<Value = IpNetwork> {
        // Few bits differ, so that one is often within another.
        let four =
            (0_u32..4, 30_u8..=32).prop_map(|(low, prefix)| (IpAddr::V4(low.into()), prefix));
        let six =
            (0_u128..4, 126_u8..=128).prop_map(|(low, prefix)| (IpAddr::V6(low.into()), prefix));
        prop_oneof![four, six].prop_map(|(address, prefix)| IpNetwork {
            address: first(address, prefix),
            prefix,
        })
    }

    fn allowed() -> impl Strategy<Value = AllowedNetworks> {
        prop_oneof![
            Just(AllowedNetworks::Everywhere),
            proptest::collection::vec(networks(), 0..4).prop_map(AllowedNetworks::only),
        ]
    }

    proptest! {
        #[test]
        fn every_network_reads_back(network in networks()) {
            prop_assert_eq!(IpNetwork::parse(&network.to_string()), Ok(network));
            prop_assert!(network.has(network.address));
        }

        #[test]
        fn what_is_within_others_allows_nothing_that_they_refuse(
            one in allowed(), other in allowed(), low in 0_u8..6,
        ) {
            prop_assert!(one.are_within(&one));
            let four = IpAddr::V4(Ipv4Addr::from_bits(low.into()));
            let six = IpAddr::V6(Ipv6Addr::from_bits(low.into()));
            for address in [four, six] {
                let widens = one.allow(address) && !other.allow(address);
                prop_assert!(!(one.are_within(&other) && widens), "{address}");
            }
        }
    }
}
