//! Finding out where an IP address or a device is. It must never fail for want of a database: what
//! is not known is absent.

use async_trait::async_trait;
use domain::geolocation::device::{Cell, HardwareAddress, Transmitter};
use domain::geolocation::{Address, Location};
use domain::time::Timestamp;
use std::fmt::Debug;

/// Tables of where addresses are.
pub trait Geolocation: Debug + Send + Sync {
    /// What is known of a public address at a moment, which decides the offset of its local time.
    /// It answers out of memory or a file and never from the network.
    fn locate(&self, address: Address, at: Timestamp) -> Location;
}

/// What the DNS says of addresses: the names they have been given (RFC 1035 §3.5), where those lead
/// to, and the names of autonomous systems.
#[async_trait]
pub trait ReverseNames: Debug + Send + Sync {
    /// The name of a public address without the final dot; `None` where it has none, or where no
    /// server answers. The caller sets the deadline and may stop waiting at any time.
    async fn name(&self, address: Address) -> Option<String>;

    /// An address that such a name leads to: `address`, where that is one of them.
    async fn address(&self, name: &str, address: Address) -> Option<Address>;

    /// The name that an autonomous system is registered under, such as `GOOGLE`.
    async fn system(&self, number: u32) -> Option<String>;
}

/// Tables of where transmitters stand. They answer out of memory and never from the network.
pub trait Transmitters: Debug + Send + Sync {
    /// A cell, where it is recorded.
    fn cell(&self, cell: Cell) -> Option<Transmitter>;

    /// An access point, where it is recorded.
    fn access_point(&self, address: HardwareAddress) -> Option<Transmitter>;
}

/// No tables: no transmitter is recorded.
#[derive(Debug, Clone, Copy)]
pub struct NoTransmitters;

impl Transmitters for NoTransmitters {
    fn cell(&self, _: Cell) -> Option<Transmitter> {
        None
    }

    fn access_point(&self, _: HardwareAddress) -> Option<Transmitter> {
        None
    }
}

/// No reverse DNS: no address has a name.
#[derive(Debug, Clone, Copy)]
pub struct NoReverseDns;

#[async_trait]
impl ReverseNames for NoReverseDns {
    async fn name(&self, _: Address) -> Option<String> {
        None
    }

    async fn address(&self, _: &str, _: Address) -> Option<Address> {
        None
    }

    async fn system(&self, _: u32) -> Option<String> {
        None
    }
}

/// No tables: nothing is known of any address.
#[derive(Debug, Clone, Copy)]
pub struct NoGeolocation;

impl Geolocation for NoGeolocation {
    fn locate(&self, _: Address, _: Timestamp) -> Location {
        Location::default()
    }
}
