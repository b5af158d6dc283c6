//! Cells in the form that `OpenCelliD` exports.

use crate::table::{Row, Table, TransmitterFileError, transmitter};
use domain::geolocation::device::{Cell, Transmitter};
use serde::Deserialize;
use std::path::Path;

/// The columns of the form, in the order that files without names have.
const COLUMNS: [&str; 14] = [
    "radio",
    "mcc",
    "net",
    "area",
    "cell",
    "unit",
    "lon",
    "lat",
    "range",
    "samples",
    "changeable",
    "created",
    "updated",
    "averageSignal",
];

/// How far a cell is received whose range was not measured, in metres: that of a large one.
const RANGE_UNKNOWN: u32 = 35_000;

#[derive(Debug, Deserialize)]
struct CellRow {
    mcc: u16,
    net: u16,
    area: u32,
    cell: u64,
    lon: String,
    lat: String,
    #[serde(default)]
    range: Option<u32>,
}

impl Row for CellRow {
    type Key = Cell;

    fn read(&self) -> Result<(Cell, Transmitter), &'static str> {
        let cell = Cell {
            country: self.mcc,
            network: self.net,
            area: self.area,
            cell: self.cell,
        };
        let range = self.range.filter(|range| *range > 0);
        let at = (self.lat.as_str(), self.lon.as_str());
        Ok((cell, transmitter(at, range.unwrap_or(RANGE_UNKNOWN))?))
    }
}

pub(crate) fn read(path: &Path) -> Result<Table<Cell>, TransmitterFileError> {
    Table::read::<CellRow>(path, &COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::geolocation::device::GeoPoint;
    use std::io::Write;

    fn table(text: &str) -> Result<Table<Cell>, TransmitterFileError> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        read(file.path())
    }

    const CELL: Cell = Cell {
        country: 621,
        network: 30,
        area: 1234,
        cell: 567_890,
    };

    #[test]
    fn a_file_is_read_with_and_without_the_names_of_its_columns() {
        let row = "LTE,621,30,1234,567890,0,3.384082,6.455027,1500,7,1,1459692342,1488347104,0\n";
        let named = format!("{}\n{row}", COLUMNS.join(","));
        for text in [row, named.as_str()] {
            let found = table(text).unwrap().find(&CELL).unwrap();
            assert_eq!(Some(found.at), GeoPoint::from_micros(6_455_027, 3_384_082));
            assert_eq!(found.range, 1_500);
        }
        let other = Cell { cell: 1, ..CELL };
        assert_eq!(table(row).unwrap().find(&other), None);
    }

    #[test]
    fn the_last_row_of_a_cell_counts_and_an_unknown_range_is_a_large_one() {
        let text = "mcc,net,area,cell,lon,lat,range\n621,30,1234,567890,3.1,6.1,10\n\
                    621,30,1234,567890,3.2,6.2,0\n";
        let found = table(text).unwrap().find(&CELL).unwrap();
        assert_eq!(Some(found.at), GeoPoint::from_micros(6_200_000, 3_200_000));
        assert_eq!(found.range, RANGE_UNKNOWN);
    }

    #[test]
    fn a_file_that_is_wrong_is_refused_with_its_line() {
        let text = "mcc,net,area,cell,lon,lat\n621,30,1,1,3.1,6.1\n621,30,1,1,3.1,96.1\n";
        let refused = table(text).unwrap_err().to_string();
        assert!(
            refused.starts_with("line 3 of") && refused.ends_with("no valid lat"),
            "{refused}"
        );
        let other = table("mcc,net,area,cell,lon,lat\n621,thirty,1,1,3.1,6.1\n");
        assert!(matches!(
            other,
            Err(TransmitterFileError::Unreadable { .. })
        ));
        assert!(read(Path::new("no-such.csv")).is_err());
        assert!(table("").unwrap().find(&CELL).is_none());
    }
}
