//! The blocks whose addresses are nowhere in particular. It must follow the registries of IANA:
//! special-purpose addresses of IPv4 and IPv6 (RFC 6890), and multicast.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What becomes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its addresses are reached from everywhere.
    Public,
    /// It is not in one place: a special-purpose or anycast block.
    Special,
}

use Reach::{Public, Special};

/// Blocks of IPv4 as first address and prefix length. The last that an address is in counts, so
/// exceptions follow what they are excepted from.
const IPV4: [(Ipv4Addr, u8, Reach); 18] = [
    (Ipv4Addr::UNSPECIFIED, 8, Special),      // this network, RFC 791
    (Ipv4Addr::new(10, 0, 0, 0), 8, Special), // private, RFC 1918
    (Ipv4Addr::new(100, 64, 0, 0), 10, Special), // shared by carriers, RFC 6598
    (Ipv4Addr::new(127, 0, 0, 0), 8, Special), // loopback, RFC 1122
    (Ipv4Addr::new(169, 254, 0, 0), 16, Special), // link-local, RFC 3927
    (Ipv4Addr::new(172, 16, 0, 0), 12, Special), // private, RFC 1918
    (Ipv4Addr::new(192, 0, 0, 0), 24, Special), // protocol assignments, RFC 6890
    (Ipv4Addr::new(192, 0, 0, 9), 32, Public), // port control anycast, RFC 7723
    (Ipv4Addr::new(192, 0, 0, 10), 32, Public), // relay anycast, RFC 8155
    (Ipv4Addr::new(192, 0, 2, 0), 24, Special), // documentation, RFC 5737
    (Ipv4Addr::new(192, 88, 99, 0), 24, Special), // 6to4 relays, withdrawn, RFC 7526
    (Ipv4Addr::new(192, 168, 0, 0), 16, Special), // private, RFC 1918
    (Ipv4Addr::new(198, 18, 0, 0), 15, Special), // benchmarks, RFC 2544
    (Ipv4Addr::new(198, 51, 100, 0), 24, Special), // documentation, RFC 5737
    (Ipv4Addr::new(203, 0, 113, 0), 24, Special), // documentation, RFC 5737
    (Ipv4Addr::new(224, 0, 0, 0), 4, Special), // multicast, RFC 5771
    (Ipv4Addr::new(240, 0, 0, 0), 4, Special), // reserved, RFC 1112
    (Ipv4Addr::BROADCAST, 32, Special),       // broadcast, RFC 8190
];

const fn v6(a: u16, b: u16, c: u16, d: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)
}

/// Blocks of IPv6 in the same way. Unicast is given out of `2000::/3` only (RFC 4291 §2.4), which
/// leaves loopback, link-local, unique local and multicast addresses outside.
const IPV6: [(Ipv6Addr, u8, Reach); 15] = [
    (Ipv6Addr::UNSPECIFIED, 0, Special),
    (v6(0x2000, 0, 0, 0), 3, Public),
    (v6(0x2001, 0, 0, 0), 23, Special), // protocol assignments, RFC 2928
    (v6(0x2001, 0, 0, 0), 32, Special), // Teredo, RFC 4380
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 1), 128, Public), // port control anycast, RFC 7723
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 2), 128, Public), // relay anycast, RFC 8155
    (Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 3), 128, Public), // service registration, RFC 9665
    (v6(0x2001, 3, 0, 0), 32, Public),  // multicast tunnels, RFC 7450
    (v6(0x2001, 4, 0x112, 0), 48, Public), // AS112, RFC 7535
    (v6(0x2001, 0x20, 0, 0), 28, Public), // hashes of identities, RFC 7343
    (v6(0x2001, 0x30, 0, 0), 28, Public), // tags of aircraft, RFC 9374
    (v6(0x2001, 0xdb8, 0, 0), 32, Special), // documentation, RFC 3849
    (v6(0x2002, 0, 0, 0), 16, Special), // 6to4, RFC 3056
    (v6(0x2620, 0x4f, 0x8000, 0), 48, Public), // AS112, RFC 7534
    (v6(0x3fff, 0, 0, 0), 20, Special), // documentation, RFC 9637
];

pub(super) fn is_public(address: IpAddr) -> bool {
    let reach = match address {
        IpAddr::V4(address) => {
            let within = |block: &&(Ipv4Addr, u8, Reach)| holds32(block.0, block.1, address);
            let last = IPV4.iter().rev().find(within);
            last.map_or(Public, |block| block.2)
        }
        IpAddr::V6(address) => {
            let within = |block: &&(Ipv6Addr, u8, Reach)| holds128(block.0, block.1, address);
            let last = IPV6.iter().rev().find(within);
            last.map_or(Special, |block| block.2)
        }
    };
    reach == Public
}

/// Whether the first `length` bits are the same.
fn holds32(first: Ipv4Addr, length: u8, address: Ipv4Addr) -> bool {
    let mask = !u32::MAX.checked_shr(u32::from(length)).unwrap_or(0);
    (first.to_bits() ^ address.to_bits()) & mask == 0
}

fn holds128(first: Ipv6Addr, length: u8, address: Ipv6Addr) -> bool {
    let mask = !u128::MAX.checked_shr(u32::from(length)).unwrap_or(0);
    (first.to_bits() ^ address.to_bits()) & mask == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: bool) {
        assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
    }

    #[test]
    fn the_first_and_last_address_of_a_special_block_are_nowhere_and_its_neighbours_are() {
        // First, last, and the public neighbours before and after.
        let blocks = "
            0.0.0.0 0.255.255.255 - 1.0.0.0
            10.0.0.0 10.255.255.255 9.255.255.255 11.0.0.0
            100.64.0.0 100.127.255.255 100.63.255.255 100.128.0.0
            127.0.0.0 127.255.255.255 126.255.255.255 128.0.0.0
            169.254.0.0 169.254.255.255 169.253.255.255 169.255.0.0
            172.16.0.0 172.31.255.255 172.15.255.255 172.32.0.0
            192.0.0.0 192.0.0.255 191.255.255.255 192.0.1.0
            192.0.2.0 192.0.2.255 192.0.1.255 192.0.3.0
            192.88.99.0 192.88.99.255 192.88.98.255 192.88.100.0
            192.168.0.0 192.168.255.255 192.167.255.255 192.169.0.0
            198.18.0.0 198.19.255.255 198.17.255.255 198.20.0.0
            198.51.100.0 198.51.100.255 198.51.99.255 198.51.101.0
            203.0.113.0 203.0.113.255 203.0.112.255 203.0.114.0
            224.0.0.0 255.255.255.255 223.255.255.255 -
            2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2000:ffff:: -
            2001:db8:: 2001:db8:ffff:: 2001:db7:ffff:: 2001:db9::
            2002:: 2002:ffff:: 2001:ffff:: 2003::
            3fff:: 3fff:fff:ffff:: - 3fff:1000::
        ";
        for line in blocks.trim().lines() {
            let mut addresses = line.split_whitespace();
            for special in addresses.by_ref().take(2) {
                check(special, false);
            }
            for neighbour in addresses.filter(|address| *address != "-") {
                check(neighbour, true);
            }
        }
    }

    #[test]
    fn what_is_reached_from_everywhere_inside_a_special_block_is_public() {
        for text in [
            "192.0.0.9",
            "192.0.0.10",
            "2001:1::1",
            "2001:1::2",
            "2001:1::3",
            "2001:3::1",
            "2001:4:112::1",
            "2001:20::1",
            "2001:30::1",
            "2001:200::1",
            "2620:4f:8000::1",
        ] {
            check(text, true);
        }
        for text in [
            "192.0.0.8",
            "192.0.0.11",
            "2001:1::4",
            "2001:2::1",
            "2001:10::1",
        ] {
            check(text, false);
        }
    }

    #[test]
    fn nothing_outside_the_unicast_space_of_ipv6_is_public() {
        for text in [
            "::",
            "::1",
            "::8.8.8.8",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "1fff:ffff::",
            "4000::",
            "5f00::1",
            "fc00::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            check(text, false);
        }
        for text in ["2606:4700:4700::1111", "2c0f:f5c0::1", "2000::1"] {
            check(text, true);
        }
    }

    proptest! {
        /// What the standard library knows of special addresses is a part of the table.
        #[test]
        fn no_address_the_language_calls_special_is_public(bits: u32) {
            let address = Ipv4Addr::from(bits);
            let special = address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_documentation()
                || address.is_unspecified()
                || address.is_broadcast();
            prop_assert!(!(special && is_public(IpAddr::V4(address))), "{address}");
        }
    }
}
