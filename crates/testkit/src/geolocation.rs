//! Addresses with known places. It must know nothing of the real network, and its places stand on
//! no map.

use async_trait::async_trait;
use domain::geolocation::{
    Address, AddressOrigin, AutonomousSystem, CodedName, Connection, GeoPlace, InternetProvider,
    Location, Position,
};
use domain::time::Timestamp;
use ports::geolocation::{Geolocation, ReverseNames};
use rust_decimal::Decimal;

/// An address of which everything is known.
pub const KNOWN: &str = "8.8.8.8";

/// Knows everything of [`KNOWN`] and nothing of any other address.
#[derive(Debug, Clone, Copy)]
pub struct Atlas;

impl Geolocation for Atlas {
    fn locate(&self, address: Address, _: Timestamp) -> Location {
        if address.to_string() == KNOWN {
            location()
        } else {
            Location::default()
        }
    }
}

/// Every field there is.
pub fn location() -> Location {
    let named = |name: &str, code: &str| {
        Some(CodedName {
            name: Some(name.into()),
            code: Some(code.into()),
        })
    };
    Location {
        announced: AddressOrigin::AnnouncedBy(AutonomousSystem {
            number: 64_500,
            organisation: Some("Example Networks Limited".into()),
            handle: Some("EXAMPLE-AS".into()),
        }),
        provider: InternetProvider {
            name: Some("Example Mobile".into()),
            organisation: Some("Example Holdings".into()),
        },
        place: GeoPlace {
            continent: named("Africa", "AF"),
            country: named("Nigeria", "NG"),
            currency: Some("NGN".into()),
            timezone: Some("Africa/Lagos".into()),
            utc_offset: Some(3_600),
            region: named("Lagos", "LA"),
            district: Some("Eti-Osa".into()),
            city: Some("Lagos".into()),
            postal_code: Some("101233".into()),
            position: Some(Position {
                latitude: Decimal::new(64_550, 4),
                longitude: Decimal::new(33_841, 4),
            }),
        },
        connection: Connection {
            mobile: Some(true),
            proxy: Some(false),
            hosting: Some(false),
        },
    }
}

/// A resolver of the names of addresses.
#[derive(Debug, Clone, Copy)]
pub enum TestNames {
    /// Knows the name of [`KNOWN`].
    Known,
    /// Never answers.
    Silent,
}

impl TestNames {
    async fn wait(self) {
        match self {
            Self::Known => {}
            Self::Silent => std::future::pending().await,
        }
    }
}

#[async_trait]
impl ReverseNames for TestNames {
    async fn name(&self, address: Address) -> Option<String> {
        self.wait().await;
        let known = address.to_string() == KNOWN;
        known.then(|| "dns.example".to_owned())
    }

    async fn address(&self, name: &str, address: Address) -> Option<Address> {
        (name == "dns.example").then_some(address)
    }

    async fn system(&self, _: u32) -> Option<String> {
        self.wait().await;
        Some("NAMED-AS".to_owned())
    }
}
