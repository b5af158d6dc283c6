//! Transmitters of test accounts, none of which exists: cells of the network that ITU-T E.212 keeps
//! for tests, and access points of the addresses that RFC 7042 keeps for documentation.

use domain::geolocation::device::{Cell, GeoPoint, HardwareAddress, Transmitter};
use ports::geolocation::Transmitters;

/// The test network.
const COUNTRY: u16 = 1;
const NETWORK: u16 = 1;
const AREA: u32 = 1;

/// Cells 1 to 3, around Lagos Island: latitude and longitude in millionths, and range in metres.
const CELLS: [(i32, i32, u32); 3] = [
    (6_455_027, 3_384_082, 1_500),
    (6_448_120, 3_401_770, 2_000),
    (6_431_800, 3_421_900, 5_000),
];

/// Access points `00:00:5e:00:53:01` to `03`, within one street.
const ACCESS_POINTS: [(&str, i32, i32, u32); 3] = [
    ("00:00:5e:00:53:01", 6_455_100, 3_384_000, 80),
    ("00:00:5e:00:53:02", 6_455_300, 3_384_200, 80),
    ("00:00:5e:00:53:03", 6_455_200, 3_384_500, 80),
];

/// Those of the test network.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestTransmitters;

impl Transmitters for TestTransmitters {
    fn cell(&self, cell: Cell) -> Option<Transmitter> {
        let is_here = (cell.country, cell.network, cell.area) == (COUNTRY, NETWORK, AREA);
        let index = usize::try_from(cell.cell).ok()?.checked_sub(1)?;
        let (latitude, longitude, range) = *CELLS.get(index).filter(|_| is_here)?;
        transmitter(latitude, longitude, range)
    }

    fn access_point(&self, address: HardwareAddress) -> Option<Transmitter> {
        let mut all = ACCESS_POINTS.iter();
        let found = all.find(|(text, ..)| HardwareAddress::parse(text) == Some(address));
        let (_, latitude, longitude, range) = *found?;
        transmitter(latitude, longitude, range)
    }
}

fn transmitter(latitude: i32, longitude: i32, range: u32) -> Option<Transmitter> {
    let at = GeoPoint::from_micros(latitude, longitude)?;
    Some(Transmitter { at, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_transmitter_of_the_test_network_is_found_and_no_other() {
        let cell = |country, cell| {
            TestTransmitters.cell(Cell {
                country,
                network: NETWORK,
                area: AREA,
                cell,
            })
        };
        assert!((1..=3).all(|number| cell(COUNTRY, number).is_some()));
        assert_eq!(
            (cell(COUNTRY, 0), cell(COUNTRY, 4), cell(621, 1)),
            (None, None, None)
        );
        for (text, ..) in ACCESS_POINTS {
            let address = HardwareAddress::parse(text).unwrap();
            assert!(address.is_lasting() && TestTransmitters.access_point(address).is_some());
        }
        let other = HardwareAddress::parse("00:00:5e:00:53:04").unwrap();
        assert_eq!(TestTransmitters.access_point(other), None);
    }
}
