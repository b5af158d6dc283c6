//! Where a device is, by the transmitters that it receives. It must not promise more than they
//! prove: the accuracy is the radius of a circle that the device is in, wherever in it.

use rust_decimal::Decimal;
use std::fmt;

/// Most access points or cells of a request: devices receive a few dozen at most.
pub const TRANSMITTERS_MAX: usize = 50;

/// Fewest access points that locate a device. One alone would let anyone follow the router of a
/// household that has moved.
const ACCESS_POINTS_MIN: usize = 2;

/// How far an access point may be from the strongest one, in metres; one that is farther has been
/// moved since it was recorded.
const ACCESS_POINTS_APART_MAX: f64 = 1_000.0;

/// Metres of a degree of latitude, of the sphere whose radius is the mean one of the earth.
const EARTH_RADIUS: f64 = 6_371_008.8;

/// A point on the map, in millionths of a degree: a tenth of a metre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GeoPoint {
    latitude: i32,
    longitude: i32,
}

/// The text is no latitude or longitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be degrees such as 6.455027, from -{0} to {0}")]
pub struct InvalidDegrees(i32);

impl GeoPoint {
    /// The point of a latitude and a longitude in millionths of a degree; `None` off the map.
    pub fn from_micros(latitude: i32, longitude: i32) -> Option<Self> {
        let is_on_map =
            latitude.unsigned_abs() <= 90_000_000 && longitude.unsigned_abs() <= 180_000_000;
        is_on_map.then_some(Self {
            latitude,
            longitude,
        })
    }

    /// Reads degrees north of the equator, in millionths.
    ///
    /// # Errors
    /// Refuses what is no number from -90 to 90.
    pub fn parse_latitude(text: &str) -> Result<i32, InvalidDegrees> {
        micros(text, 90)
    }

    /// Reads degrees east of Greenwich, in millionths.
    ///
    /// # Errors
    /// Refuses what is no number from -180 to 180.
    pub fn parse_longitude(text: &str) -> Result<i32, InvalidDegrees> {
        micros(text, 180)
    }

    /// The latitude and the longitude, in millionths of a degree.
    pub const fn micros(self) -> (i32, i32) {
        (self.latitude, self.longitude)
    }

    /// Degrees north of the equator.
    pub fn latitude(self) -> Decimal {
        Decimal::new(i64::from(self.latitude), 6)
    }

    /// Degrees east of Greenwich.
    pub fn longitude(self) -> Decimal {
        Decimal::new(i64::from(self.longitude), 6)
    }

    /// Metres to another point, along the surface.
    pub fn metres_to(self, other: Self) -> f64 {
        let radians = |micros: i32| (f64::from(micros) / 1e6).to_radians();
        let (one, two) = (radians(self.latitude), radians(other.latitude));
        let north = (two - one) / 2.0;
        let east = (radians(other.longitude) - radians(self.longitude)) / 2.0;
        let chord = north.sin().powi(2) + one.cos() * two.cos() * east.sin().powi(2);
        2.0 * EARTH_RADIUS * chord.sqrt().min(1.0).asin()
    }
}

fn micros(text: &str, most: i32) -> Result<i32, InvalidDegrees> {
    let digits = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
    let degrees = text.parse::<Decimal>().ok().filter(|_| digits);
    let degrees = degrees.filter(|degrees| degrees.abs() <= Decimal::from(most));
    let micros = degrees.and_then(|degrees| degrees.checked_mul(Decimal::from(1_000_000)));
    let micros = micros.and_then(|micros| i32::try_from(micros.round()).ok());
    micros.ok_or(InvalidDegrees(most))
}

/// A cell of a cellular network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The mobile country code (ITU-T E.212).
    pub country: u16,
    /// The mobile network code.
    pub network: u16,
    /// The location or tracking area.
    pub area: u32,
    /// The cell within the network.
    pub cell: u64,
}

/// The text is no cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be cells separated by semicolons, {TRANSMITTERS_MAX} at most, each as mobile country \
     code, network code, area and cell: 621,30,1234,567890"
)]
pub struct InvalidCells;

impl Cell {
    /// Reads several cells.
    ///
    /// # Errors
    /// Refuses what is none, and too many.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, InvalidCells> {
        several(text, Self::parse).ok_or(InvalidCells)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let mut next = || parts.next().map(str::trim).filter(|part| is_number(part));
        let cell = Self {
            country: next()?.parse().ok().filter(|code| *code <= 999)?,
            network: next()?.parse().ok().filter(|code| *code <= 999)?,
            area: next()?.parse().ok()?,
            cell: next()?.parse().ok().filter(|cell| *cell < 1 << 36)?,
        };
        parts.next().is_none().then_some(cell)
    }
}

/// The hardware address of an access point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HardwareAddress(u64);

impl HardwareAddress {
    /// Reads six pairs of hexadecimal digits, separated by colons or dashes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut address = 0_u64;
        let mut count = 0_u8;
        for pair in text.split([':', '-']) {
            let is_pair = pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit());
            let byte = u64::from_str_radix(pair, 16).ok().filter(|_| is_pair)?;
            address = (address << 8) | byte;
            count = count.saturating_add(1);
        }
        (count == 6).then_some(Self(address))
    }

    /// Whether it is assigned to one device for ever: neither of a group nor made up by its owner
    /// (IEEE 802).
    pub const fn is_lasting(self) -> bool {
        (self.0 >> 40).trailing_zeros() >= 2
    }
}

impl fmt::Debug for HardwareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HardwareAddress(…)")
    }
}

/// An access point that a device receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedAccessPoint {
    /// Its hardware address.
    pub address: HardwareAddress,
    /// How strongly it is received, in dBm.
    pub signal: i8,
}

/// The text is no access point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be access points separated by semicolons, {TRANSMITTERS_MAX} at most, each as hardware \
     address and signal in dBm, -120 to 0: 00:00:5e:00:53:01,-60"
)]
pub struct InvalidAccessPoints;

impl ReceivedAccessPoint {
    /// Reads several access points.
    ///
    /// # Errors
    /// Refuses what is none, and too many.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, InvalidAccessPoints> {
        several(text, Self::parse).ok_or(InvalidAccessPoints)
    }

    fn parse(text: &str) -> Option<Self> {
        let (address, signal) = text.split_once(',')?;
        let signal = signal.trim();
        let digits = is_number(signal.strip_prefix('-').unwrap_or(signal));
        let signal = signal.parse::<i8>().ok().filter(|_| digits);
        Some(Self {
            address: HardwareAddress::parse(address.trim())?,
            signal: signal.filter(|signal| (-120..=0).contains(signal))?,
        })
    }
}

fn several<T>(text: &str, parse: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let all: Option<Vec<_>> = text.split(';').map(|it| parse(it.trim())).collect();
    all.filter(|all| all.len() <= TRANSMITTERS_MAX)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A transmitter as it is recorded: it is received within its range, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transmitter {
    /// Where it stands.
    pub at: GeoPoint,
    /// How far it is received, in metres.
    pub range: u32,
}

/// What a location was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocationSource {
    /// Access points.
    Wifi,
    /// Cells.
    Cell,
    /// The network that serves its number.
    Network,
}

/// Where a device is: within so many metres of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceLocation {
    /// The point.
    pub at: GeoPoint,
    /// Metres.
    pub accuracy: u32,
    /// What it was found by.
    pub source: LocationSource,
}

/// Whether a device is within a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Containment {
    /// Wherever it is, it is within.
    Inside,
    /// Wherever it is, it is not.
    Outside,
    /// It may be either.
    Partial,
}

impl DeviceLocation {
    /// By the access points that are recorded, each with its signal; `None` where too few are.
    pub fn by_access_points(received: &[(Transmitter, i8)]) -> Option<Self> {
        let strongest = received.iter().max_by_key(|(_, signal)| *signal)?.0;
        let near =
            |it: &&(Transmitter, i8)| it.0.at.metres_to(strongest.at) <= ACCESS_POINTS_APART_MAX;
        let near: Vec<_> = received.iter().filter(near).collect();
        if near.len() < ACCESS_POINTS_MIN {
            return None;
        }
        // Ten decibels are a third of the distance.
        let weighted = near.iter().map(|(transmitter, signal)| {
            let weight = 10_f64.powf(f64::from(*signal) / 20.0);
            (*transmitter, weight)
        });
        Self::around(&weighted.collect::<Vec<_>>(), LocationSource::Wifi)
    }

    /// By the cells that are recorded; `None` where none is, or where they contradict each other. A
    /// device is in the range of each cell at once, so one that reaches none of the others has been
    /// moved since it was recorded.
    pub fn by_cells(received: &[Transmitter]) -> Option<Self> {
        let meet = |one: &Transmitter, other: &Transmitter| {
            let reach = f64::from(one.range) + f64::from(other.range);
            one.at.metres_to(other.at) <= reach
        };
        let agreeing =
            |cell: &Transmitter| received.iter().filter(|other| meet(cell, other)).count();
        let best = received.iter().max_by_key(|cell| agreeing(cell))?;
        let rivals = received.iter().filter(|cell| !meet(best, cell));
        if rivals
            .into_iter()
            .any(|cell| agreeing(cell) >= agreeing(best))
        {
            return None;
        }
        let weighted = received.iter().filter(|cell| meet(best, cell)).map(|cell| {
            let weight = 1.0 / f64::from(cell.range.max(1));
            (*cell, weight)
        });
        Self::around(&weighted.collect::<Vec<_>>(), LocationSource::Cell)
    }

    /// The weighted mean of where transmitters stand. The device is in the range of each, so it is
    /// no farther from the mean than any one stands from it, and the range of that one.
    fn around(weighted: &[(Transmitter, f64)], source: LocationSource) -> Option<Self> {
        let first = weighted.first()?.0.at;
        let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
        let mean = |of: fn(GeoPoint) -> i32| {
            // As differences from the first, so that the sum is exact where they are close.
            let sum: f64 = weighted
                .iter()
                .map(|(it, weight)| f64::from(turned(of(it.at).saturating_sub(of(first)))) * weight)
                .sum();
            turned(of(first).saturating_add(rounded(sum / total)))
        };
        let at = GeoPoint::from_micros(mean(|at| at.latitude), mean(|at| at.longitude))?;
        let within = |it: &(Transmitter, f64)| at.metres_to(it.0.at) + f64::from(it.0.range);
        let accuracy = weighted.iter().map(within).fold(f64::INFINITY, f64::min);
        Some(Self {
            at,
            accuracy: u32::try_from(rounded(accuracy.ceil())).unwrap_or(u32::MAX),
            source,
        })
    }

    /// Whether it is within so many metres of a point.
    pub fn within(self, centre: GeoPoint, radius: u32) -> Containment {
        let apart = self.at.metres_to(centre);
        let (radius, accuracy) = (f64::from(radius), f64::from(self.accuracy));
        if apart + accuracy <= radius {
            Containment::Inside
        } else if apart > radius + accuracy {
            Containment::Outside
        } else {
            Containment::Partial
        }
    }
}

/// An angle within half a turn: the date line is no end of the world.
const fn turned(micros: i32) -> i32 {
    const HALF_A_TURN: i32 = 180_000_000;
    if micros > HALF_A_TURN {
        micros.saturating_sub(2 * HALF_A_TURN)
    } else if micros < -HALF_A_TURN {
        micros.saturating_add(2 * HALF_A_TURN)
    } else {
        micros
    }
}

/// The nearest whole number, at most the largest of its type.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a number beyond the type becomes its largest, which `as` is defined to do"
)]
fn rounded(number: f64) -> i32 {
    number.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(latitude: i32, longitude: i32) -> GeoPoint {
        GeoPoint::from_micros(latitude, longitude).unwrap()
    }

    fn transmitter(latitude: i32, longitude: i32, range: u32) -> Transmitter {
        Transmitter {
            at: at(latitude, longitude),
            range,
        }
    }

    #[test]
    fn distances_are_those_of_the_sphere() {
        let lagos = at(6_455_027, 3_384_082);
        let abuja = at(9_057_850, 7_495_080);
        let apart = lagos.metres_to(abuja);
        assert!((535_000.0..540_000.0).contains(&apart), "{apart}");
        assert_eq!(lagos.metres_to(lagos).to_bits(), 0.0_f64.to_bits());
        let over_the_date_line = at(0, 179_999_000).metres_to(at(0, -179_999_000));
        assert!(over_the_date_line < 230.0, "{over_the_date_line}");
    }

    #[test]
    fn texts_are_read_whole_or_refused() {
        assert_eq!(
            Cell::parse_all("621,30,1234,567890; 621,20,1,68719476735").map(|all| all.len()),
            Ok(2)
        );
        for wrong in [
            "",
            ";",
            "621,30,1",
            "621,30,1,2,3",
            "1000,1,1,1",
            "621,-1,1,1",
            "+621,1,1,1",
        ] {
            assert_eq!(Cell::parse_all(wrong), Err(InvalidCells), "{wrong}");
        }
        let many = vec!["621,30,1,1"; TRANSMITTERS_MAX + 1].join(";");
        assert_eq!(Cell::parse_all(&many), Err(InvalidCells));
        let read = ReceivedAccessPoint::parse_all("00:00:5e:00:53:01,-60;00-00-5E-00-53-02,-70");
        assert_eq!(read.unwrap().len(), 2);
        for wrong in [
            "",
            "00:00:5e:00:53,-60",
            "00:00:5e:00:53:01",
            "00:00:5e:00:53:01,5",
            "0:0:0:0:0:0,-1",
        ] {
            let read = ReceivedAccessPoint::parse_all(wrong);
            assert_eq!(read, Err(InvalidAccessPoints), "{wrong}");
        }
        assert_eq!(GeoPoint::parse_latitude("6.455027"), Ok(6_455_027));
        for wrong in ["90.1", "", "1e1", "N6", "+6"] {
            assert!(GeoPoint::parse_latitude(wrong).is_err(), "{wrong}");
        }
        assert!(GeoPoint::parse_longitude("-180").is_ok());
    }

    #[test]
    fn addresses_that_are_made_up_or_of_a_group_are_not_lasting() {
        let lasting = |text| HardwareAddress::parse(text).unwrap().is_lasting();
        assert!(lasting("00:00:5e:00:53:01"));
        assert!(!lasting("02:00:5e:00:53:01") && !lasting("01:00:5e:00:53:01"));
    }

    #[test]
    fn one_access_point_locates_no_device() {
        let alone = [(transmitter(6_455_000, 3_384_000, 100), -50)];
        assert_eq!(DeviceLocation::by_access_points(&alone), None);
        // The other one has been moved to another town.
        let moved = (transmitter(7_455_000, 3_384_000, 100), -60);
        assert_eq!(DeviceLocation::by_access_points(&[alone[0], moved]), None);
    }

    #[test]
    fn a_cell_that_was_moved_is_left_out_and_two_that_contradict_each_other_locate_nothing() {
        let (one, two) = (transmitter(0, 0, 1_000), transmitter(0, 5_000, 1_000));
        let moved = transmitter(5_000_000, 0, 100);
        let found = DeviceLocation::by_cells(&[one, moved, two]).unwrap();
        assert_eq!(DeviceLocation::by_cells(&[one, two]), Some(found));
        assert_eq!(DeviceLocation::by_cells(&[one, moved]), None);
    }

    #[test]
    fn the_stronger_of_two_access_points_is_nearer() {
        let (west, east) = (transmitter(0, 0, 100), transmitter(0, 1_000, 100));
        let found = DeviceLocation::by_access_points(&[(west, -40), (east, -60)]).unwrap();
        assert!(found.at.longitude < 200, "{found:?}");
        assert_eq!(found.source, LocationSource::Wifi);
    }

    #[test]
    fn a_circle_is_certain_where_the_whole_accuracy_is() {
        let found = DeviceLocation {
            at: at(0, 0),
            accuracy: 1_000,
            source: LocationSource::Cell,
        };
        let centre = at(0, 0);
        assert_eq!(found.within(centre, 1_000), Containment::Inside);
        assert_eq!(found.within(centre, 999), Containment::Partial);
        let far = at(0, 90_000);
        assert_eq!(found.within(far, 1_000), Containment::Outside);
    }

    proptest! {
        /// Wherever the device is in the range of all, it is within the accuracy.
        #[test]
        fn a_device_is_within_the_accuracy_of_its_location(
            latitude in -60_000_000..60_000_000_i32,
            longitude in -180_000_000..=180_000_000_i32,
            cells in proptest::collection::vec((-20_000..20_000_i32, -20_000..20_000_i32), 1..6),
        ) {
            let device = at(latitude, longitude);
            let cells: Vec<_> = cells
                .into_iter()
                .map(|(north, east)| {
                    let at = at(latitude + north, turned(longitude + east));
                    let range = rounded(at.metres_to(device).ceil()) + 1;
                    Transmitter { at, range: u32::try_from(range).unwrap() }
                })
                .collect();
            let found = DeviceLocation::by_cells(&cells).unwrap();
            prop_assert!(found.at.metres_to(device) <= f64::from(found.accuracy) + 1.0);
            let contained = found.within(device, found.accuracy * 2 + 2);
            prop_assert_eq!(contained, Containment::Inside);
        }
    }
}
