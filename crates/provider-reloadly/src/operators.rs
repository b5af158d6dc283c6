//! What Reloadly calls networks: numbers of its operators, which are the gateway's operator's to
//! map. What is not mapped must not be served.

use domain::airtime::AirtimeOrder;
use std::collections::BTreeMap;

/// Numbers of operators by our codes of networks in Nigeria.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReloadlyOperators(BTreeMap<String, u64>);

/// Why operators cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReloadlyOperators {
    /// A network is not one.
    #[error("must list networks as NETWORK=OPERATOR, separated by commas, such as mtn=341")]
    Network,
    /// A network is mapped twice.
    #[error("must not map a network twice")]
    Twice,
}

impl ReloadlyOperators {
    /// Reads `NETWORK=OPERATOR` pairs, separated by commas or lines.
    pub fn parse(text: &str) -> Result<Self, InvalidReloadlyOperators> {
        let wrong = InvalidReloadlyOperators::Network;
        let mut operators = BTreeMap::new();
        let pairs = text.split([',', '\n']).map(str::trim);
        for pair in pairs.filter(|pair| !pair.is_empty()) {
            let (network, number) = pair.split_once('=').ok_or(wrong)?;
            let (network, number) = (network.trim(), number.trim());
            let is_network = !network.is_empty() && network.bytes().all(|b| b.is_ascii_graphic());
            let is_number = number.bytes().all(|b| b.is_ascii_digit());
            let number = number.parse().ok().filter(|_| is_network && is_number);
            let before = operators.insert(network.to_owned(), number.ok_or(wrong)?);
            if before.is_some() {
                return Err(InvalidReloadlyOperators::Twice);
            }
        }
        Ok(Self(operators))
    }

    pub(crate) fn of(&self, order: &AirtimeOrder) -> Option<u64> {
        self.0.get(&order.network_code).copied()
    }

    /// Our code of the network of an operator; `None` where none, or more than one, is mapped to
    /// it.
    pub(crate) fn network(&self, operator: u64) -> Option<&str> {
        let mut mapped = self.0.iter().filter(|(_, number)| **number == operator);
        let (network, _) = mapped.next()?;
        mapped.next().is_none().then_some(network.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_mapped_one_to_one() {
        let operators = ReloadlyOperators::parse("mtn=341, airtel = 342").unwrap();
        assert_eq!(operators.0.get("airtel"), Some(&342));
        assert_eq!(operators.network(342), Some("airtel"));
        assert_eq!(operators.network(343), None);
        let shared = ReloadlyOperators::parse("mtn=1,glo=1").unwrap();
        assert_eq!(shared.network(1), None);
        for wrong in ["mtn", "=1", "mtn=x", "mtn=-1", "m n=1"] {
            let refused = ReloadlyOperators::parse(wrong).unwrap_err();
            assert_eq!(refused, InvalidReloadlyOperators::Network, "{wrong}");
        }
        let twice = ReloadlyOperators::parse("mtn=1,mtn=2").unwrap_err();
        assert_eq!(twice, InvalidReloadlyOperators::Twice);
    }
}
