//! What the local authority may vouch for: who trusts it must not have to trust it with the names
//! of others. It must permit every name that a certificate of the gateway is issued for.

use std::collections::BTreeSet;
use std::net::IpAddr;

use ipnet::IpNet;
use rcgen::{CidrSubnet, GeneralSubtree, NameConstraints};

/// Networks that no public server is in: this machine, and private networks (RFC 1918, RFC 4193,
/// link-local). An address of the gateway may change within them without clients noticing.
const LOCAL: [&str; 8] = [
    "127.0.0.0/8",
    "::1/128",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
];

const LOCALHOST: &str = "localhost";

/// The names that must be permitted beside those of every local authority.
pub(super) fn beside_local(names: &BTreeSet<String>) -> BTreeSet<String> {
    let names = names.iter().map(|name| name.trim_start_matches("*."));
    let is_local = |name: &str| match name.parse::<IpAddr>() {
        Ok(address) => local().any(|network| network.contains(&address)),
        Err(_) => name == LOCALHOST,
    };
    names
        .filter(|name| !is_local(name))
        .map(str::to_owned)
        .collect()
}

/// Everything that is permitted, with these names.
pub(super) fn constraints(names: &BTreeSet<String>) -> NameConstraints {
    let local = local().map(|network| (network.addr(), network.prefix_len()));
    let mut permitted: Vec<_> = local.map(subtree).collect();
    permitted.push(GeneralSubtree::DnsName(LOCALHOST.to_owned()));
    permitted.extend(names.iter().map(|name| match name.parse::<IpAddr>() {
        Ok(address) => subtree((address, IpNet::from(address).prefix_len())),
        Err(_) => GeneralSubtree::DnsName(name.clone()),
    }));
    NameConstraints {
        permitted_subtrees: permitted,
        excluded_subtrees: Vec::new(),
    }
}

fn subtree((address, prefix): (IpAddr, u8)) -> GeneralSubtree {
    GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, prefix))
}

fn local() -> impl Iterator<Item = IpNet> {
    LOCAL.iter().filter_map(|network| network.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_and_private_addresses_are_permitted_always() {
        assert_eq!(local().count(), LOCAL.len());
        let names = [
            "localhost",
            "127.0.0.1",
            "::1",
            "10.20.30.40",
            "172.31.0.9",
            "172.32.0.9",
            "203.0.113.7",
            "pay.example.com",
            "*.shop.example.com",
        ];
        let names = names.map(str::to_owned).into_iter().collect();
        let beside = [
            "172.32.0.9",
            "203.0.113.7",
            "pay.example.com",
            "shop.example.com",
        ];
        assert_eq!(
            beside_local(&names),
            beside.map(str::to_owned).into_iter().collect()
        );
        let permitted = constraints(&beside_local(&names)).permitted_subtrees;
        assert_eq!(permitted.len(), LOCAL.len() + 1 + beside.len());
    }
}
