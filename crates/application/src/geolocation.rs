//! Where IP addresses are. It must never ask the network about an address that belongs to nobody in
//! particular: the question would say who our neighbours are, and the answer would mean nothing.

use crate::gateway::Gateway;
use domain::geolocation::{Address, Location};

/// An address with what could be found out about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The address.
    pub address: Address,
    /// Where it is.
    pub location: Location,
    /// Its name, where it has one and it was told in time.
    pub name: Option<String>,
}

impl Gateway {
    /// What is known of an address; of one that is private or reserved, nothing.
    pub async fn locate(&self, address: Address) -> Located {
        if !address.is_public() {
            return Located {
                address,
                location: Location::default(),
                name: None,
            };
        }
        let parts = self.parts();
        let named = parts.reverse_names.name(address);
        let name = self
            .within(parts.settings.reverse_dns_deadline, named)
            .await;
        Located {
            address,
            location: parts.geolocation.locate(address, self.now()),
            name: name.flatten(),
        }
    }
}
