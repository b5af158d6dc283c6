//! Where IP addresses are. It must never look up special-purpose addresses: the query would reveal
//! the neighbours of the gateway, and the answer would mean nothing.

mod device;
mod test_transmitters;

pub use device::{DeviceQuery, NotLocated};

use crate::gateway::Gateway;
use domain::geolocation::{Address, AddressOrigin, Location};

/// An address with what could be found out about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The address.
    pub address: Address,
    /// Where it is.
    pub location: Location,
    /// Its name, where it has one and the answer came in time.
    pub name: Option<String>,
    /// Where the name leads to.
    pub named: Option<Named>,
}

/// An address that a name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The address.
    pub address: Address,
    /// Where it is.
    pub location: Location,
    /// Where the network that stands for it is.
    pub subnet: Location,
}

impl Gateway {
    /// What is known of an address; of one that is private or reserved, nothing.
    pub async fn locate(&self, address: Address) -> Located {
        if !address.is_public() {
            return Located {
                address,
                location: Location::default(),
                name: None,
                named: None,
            };
        }
        let parts = self.parts();
        let (tables, dns) = (&parts.geolocation, &parts.reverse_names);
        let mut location = tables.locate(address, self.now());
        let (mut name, mut leads_to) = (None, None);
        let asked = async {
            let named = async {
                name = dns.name(address).await;
                if let Some(name) = &name {
                    leads_to = dns.address(name, address).await;
                }
            };
            tokio::join!(named, self.register(&mut location));
        };
        // Answers that came in time are shown without the others.
        let deadline = parts.settings.reverse_dns_deadline;
        let _ = self.within(deadline, asked).await;
        let leads_to = leads_to.filter(|address: &Address| address.is_public());
        let named = leads_to.map(|address| Named {
            address,
            location: tables.locate(address, self.now()),
            subnet: tables.locate(address.client_subnet().0, self.now()),
        });
        Located {
            address,
            location,
            name,
            named,
        }
    }

    /// Asks for the name of the autonomous system, where the tables have none.
    async fn register(&self, location: &mut Location) {
        if let AddressOrigin::AnnouncedBy(system) = &mut location.announced
            && system.handle.is_none()
        {
            system.handle = self.parts().reverse_names.system(system.number).await;
        }
    }
}
