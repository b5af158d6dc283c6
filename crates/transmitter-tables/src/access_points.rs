//! Access points, by their hardware address.

use crate::table::{Row, Table, TransmitterFileError, transmitter};
use domain::geolocation::device::{HardwareAddress, Transmitter};
use serde::Deserialize;
use std::path::Path;

/// The columns, in the order that files without names have.
const COLUMNS: [&str; 4] = ["bssid", "lat", "lon", "range"];

/// How far an access point is received whose range was not measured, in metres.
const RANGE_UNKNOWN: u32 = 100;

#[derive(Debug, Deserialize)]
struct AccessPointRow {
    bssid: String,
    lat: String,
    lon: String,
    #[serde(default)]
    range: Option<u32>,
}

impl Row for AccessPointRow {
    type Key = HardwareAddress;

    fn read(&self) -> Result<(HardwareAddress, Transmitter), &'static str> {
        let address = HardwareAddress::parse(&self.bssid).ok_or("bssid")?;
        let range = self.range.filter(|range| *range > 0);
        let at = (self.lat.as_str(), self.lon.as_str());
        Ok((address, transmitter(at, range.unwrap_or(RANGE_UNKNOWN))?))
    }
}

pub(crate) fn read(path: &Path) -> Result<Table<HardwareAddress>, TransmitterFileError> {
    Table::read::<AccessPointRow>(path, &COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn access_points_are_found_however_their_address_is_written() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let text = "00-00-5E-00-53-01,6.455,3.384,80\n00:00:5e:00:53:02,6.455,3.384\n";
        file.write_all(text.as_bytes()).unwrap();
        let table = read(file.path()).unwrap();
        let range = |text| {
            let address = HardwareAddress::parse(text).unwrap();
            table.find(&address).map(|found| found.range)
        };
        assert_eq!(range("00:00:5e:00:53:01"), Some(80));
        assert_eq!(range("00:00:5e:00:53:02"), Some(RANGE_UNKNOWN));
        assert_eq!(range("00:00:5e:00:53:03"), None);
    }
}
