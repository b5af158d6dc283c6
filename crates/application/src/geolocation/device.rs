//! Where a device is, by what it receives. No network and no provider must be asked: what the
//! tables do not have is not found.

use super::test_transmitters::TestTransmitters;
use crate::gateway::{Gateway, Merchant};
use domain::environment::Environment;
use domain::geolocation::device::{Cell, DeviceLocation, ReceivedAccessPoint};
use ports::geolocation::Transmitters;
use std::collections::BTreeSet;

/// What a device receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceQuery {
    /// Access points.
    pub access_points: Vec<ReceivedAccessPoint>,
    /// Cells.
    pub cells: Vec<Cell>,
}

/// Nothing that the device receives is recorded, or too little of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too little of what the device receives is recorded")]
pub struct NotLocated;

impl Gateway {
    /// Where a device is: by its access points where enough of them are recorded, otherwise by its
    /// cells. The transmitters of the test network are recorded for test accounts alone.
    ///
    /// # Errors
    /// When too little of what it receives is recorded.
    pub fn locate_device(
        &self,
        merchant: &Merchant,
        query: &DeviceQuery,
    ) -> Result<DeviceLocation, NotLocated> {
        let tables = &*self.parts().transmitters;
        let test: &dyn Transmitters = match merchant.account.environment {
            Environment::Test => &TestTransmitters,
            Environment::Live => tables,
        };
        // One access point must not count as two.
        let mut addresses = BTreeSet::new();
        let mut is_first = |received: &&ReceivedAccessPoint| addresses.insert(received.address);
        let access_points = query.access_points.iter().filter(&mut is_first);
        let access_points = access_points.filter_map(|received| {
            // An address that its owner made up is a telephone's, and another one tomorrow.
            let lasting = Some(received.address).filter(|address| address.is_lasting())?;
            let found = test.access_point(lasting);
            let found = found.or_else(|| tables.access_point(lasting))?;
            Some((found, received.signal))
        });
        let cells: BTreeSet<Cell> = query.cells.iter().copied().collect();
        let cells = cells
            .iter()
            .filter_map(|cell| test.cell(*cell).or_else(|| tables.cell(*cell)));
        let by_wifi = DeviceLocation::by_access_points(&access_points.collect::<Vec<_>>());
        let found = by_wifi.or_else(|| DeviceLocation::by_cells(&cells.collect::<Vec<_>>()));
        found.ok_or(NotLocated)
    }
}
