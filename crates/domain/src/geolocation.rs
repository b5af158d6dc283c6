//! Where an IP address is, and who answers for it. It must never guess: what is not known is
//! absent, and what cannot be known of an address is never asked for.

#[expect(
    clippy::float_arithmetic,
    reason = "distances on a sphere and means of degrees, no money"
)]
pub mod device;
mod reserved;

use rust_decimal::Decimal;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IP address in its canonical form: an IPv4 address mapped into IPv6 is that IPv4 address (RFC
/// 4291 §2.5.5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(IpAddr);

/// The text is no IP address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an IP address such as 8.8.8.8 or 2001:db8::1; no port, prefix or zone")]
pub struct InvalidAddress;

impl Address {
    /// An address as the network gave it.
    pub const fn new(address: IpAddr) -> Self {
        Self(address.to_canonical())
    }

    /// Reads a dotted quad without leading zeros, or an IPv6 address (RFC 4291 §2.2).
    ///
    /// # Errors
    /// Refuses anything else: ports, prefix lengths, zones, brackets and spaces.
    pub fn parse(text: &str) -> Result<Self, InvalidAddress> {
        text.parse().map(Self::new).map_err(|_| InvalidAddress)
    }

    /// The network that stands for an address where the address itself is not shared, as with
    /// servers of the DNS (RFC 7871 §11.1): 24 bits of an IPv4 address, 56 of an IPv6 one.
    pub fn client_subnet(self) -> (Self, u8) {
        match self.0 {
            IpAddr::V4(address) => {
                let network = u32::from(address) & (u32::MAX << 8);
                (Self::from(Ipv4Addr::from(network)), 24)
            }
            IpAddr::V6(address) => {
                let network = u128::from(address) & (u128::MAX << 72);
                (Self(IpAddr::V6(Ipv6Addr::from(network))), 56)
            }
        }
    }

    /// The address itself.
    pub const fn get(self) -> IpAddr {
        self.0
    }

    /// Whether the address can be somewhere: it is unicast, and its block is neither reserved nor
    /// of use within one site, one machine or a document only (the special-purpose registries of
    /// IANA, RFC 6890).
    pub fn is_public(self) -> bool {
        reserved::is_public(self.0)
    }
}

impl From<Ipv4Addr> for Address {
    fn from(address: Ipv4Addr) -> Self {
        Self(IpAddr::V4(address))
    }
}

/// Shows the canonical text: a dotted quad, or the IPv6 form of RFC 5952.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is known of an address (interface §2.10).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Location {
    /// The autonomous system that announces its block.
    pub announced: AddressOrigin,
    /// The internet service provider that connects it.
    pub provider: InternetProvider,
    /// Where it is.
    pub place: GeoPlace,
    /// How it is connected.
    pub connection: Connection,
}

/// The autonomous system that announces a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AddressOrigin {
    /// No autonomous system is known to announce it.
    #[default]
    NotAnnounced,
    /// An autonomous system.
    AnnouncedBy(AutonomousSystem),
}

/// An autonomous system, which is what a network is to other networks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutonomousSystem {
    /// Its number.
    pub number: u32,
    /// The organisation that runs it.
    pub organisation: Option<String>,
    /// Its short name in its registry, such as `MTNNS-AS`.
    pub handle: Option<String>,
}

/// The internet service provider that connects an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InternetProvider {
    /// The internet service provider.
    pub name: Option<String>,
    /// Whom the provider gave the address to.
    pub organisation: Option<String>,
}

/// A place, from the continent down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeoPlace {
    /// The continent.
    pub continent: Option<CodedName>,
    /// The country, by its ISO 3166-1 alpha-2 code.
    pub country: Option<CodedName>,
    /// The ISO 4217 code of the country's currency.
    pub currency: Option<String>,
    /// The name of the time zone in the IANA database.
    pub timezone: Option<String>,
    /// How far local time is ahead of UTC at the moment asked about, in seconds.
    pub utc_offset: Option<i32>,
    /// The region or state, by the second half of its ISO 3166-2 code.
    pub region: Option<CodedName>,
    /// The district within the region.
    pub district: Option<String>,
    /// The city.
    pub city: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// Degrees, which the place is around.
    pub position: Option<Position>,
}

/// Something with a name and perhaps a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodedName {
    /// Its English name.
    pub name: Option<String>,
    /// Its code.
    pub code: Option<String>,
}

/// A point on the map, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// North of the equator.
    pub latitude: Decimal,
    /// East of Greenwich.
    pub longitude: Decimal,
}

/// How an address is connected; `None` where it is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connection {
    /// Over a cellular network.
    pub mobile: Option<bool>,
    /// It forwards for others: a proxy, a VPN or an exit of Tor.
    pub proxy: Option<bool>,
    /// It is in a data centre.
    pub hosting: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Result<String, InvalidAddress> {
        Address::parse(text).map(|address| address.to_string())
    }

    #[test]
    fn addresses_are_shown_in_their_canonical_form() {
        let forms = [
            ("8.8.8.8", "8.8.8.8"),
            ("::ffff:8.8.8.8", "8.8.8.8"),
            ("::FFFF:0808:0808", "8.8.8.8"),
            ("2001:4860:4860:0:0:0:0:8888", "2001:4860:4860::8888"),
            ("2001:0DB8::0001", "2001:db8::1"),
            ("::", "::"),
        ];
        for (text, expected) in forms {
            assert_eq!(shown(text).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_only_looks_like_an_address_is_refused() {
        let refused = [
            "",
            " 8.8.8.8",
            "8.8.8.8 ",
            "8.8.8",
            "8.8.8.8.8",
            "256.8.8.8",
            "8.8.8.08",
            "08.8.8.8",
            "0x8.8.8.8",
            "134744072",
            "8.8.8.8:53",
            "8.8.8.0/24",
            "8.8.8.-8",
            "٨.٨.٨.٨",
            "fe80::1%eth0",
            "fe80::1%25eth0",
            "[::1]",
            "[::1]:443",
            "2001:db8::/32",
            "1::2::3",
            ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "12345::",
            "g::",
            "::ffff:8.8.8.08",
            "localhost",
        ];
        for text in refused {
            assert_eq!(shown(text), Err(InvalidAddress), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_as_the_same_address(bits: u128) {
            let address = Address::new(IpAddr::from(bits.to_be_bytes()));
            prop_assert_eq!(Address::parse(&address.to_string()), Ok(address));
        }

        #[test]
        fn a_mapped_address_is_public_when_the_one_inside_is(bits: u32) {
            let inside = Ipv4Addr::from(bits);
            let mapped = Address::new(IpAddr::V6(inside.to_ipv6_mapped()));
            prop_assert_eq!(mapped, Address::from(inside));
        }
    }

    #[test]
    fn a_client_subnet_reveals_no_more_than_a_network() {
        let subnet = |text: &str| {
            let (network, bits) = Address::parse(text).unwrap().client_subnet();
            format!("{network}/{bits}")
        };
        assert_eq!(subnet("197.210.64.77"), "197.210.64.0/24");
        assert_eq!(
            subnet("2001:4860:4860:1fff::8888"),
            "2001:4860:4860:1f00::/56"
        );
    }
}
