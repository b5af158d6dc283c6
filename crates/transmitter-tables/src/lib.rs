//! Where cells and access points stand, from files of the operator that are held in memory. It must
//! fetch nothing, and refuse a file that it cannot read whole: half a table would locate some
//! devices wrongly.

mod access_points;
mod cells;
mod table;

pub use table::{ROWS_MAX, TransmitterFileError};

use domain::geolocation::device::{Cell, HardwareAddress, Transmitter};
use ports::geolocation::Transmitters;
use std::path::Path;
use table::Table;

/// The tables of an operator.
#[derive(Debug, Default)]
pub struct TransmitterTables {
    cells: Table<Cell>,
    access_points: Table<HardwareAddress>,
}

impl TransmitterTables {
    /// The same tables with the cells of a file: comma-separated values as `OpenCelliD` and
    /// `Mozilla Location Service` export them.
    ///
    /// # Errors
    /// When the file cannot be read whole.
    pub fn with_cells(self, path: &Path) -> Result<Self, TransmitterFileError> {
        let cells = cells::read(path)?;
        Ok(Self { cells, ..self })
    }

    /// The same tables with the access points of a file: comma-separated values with the columns
    /// `bssid`, `lat` and `lon`, and perhaps `range`.
    ///
    /// # Errors
    /// When the file cannot be read whole.
    pub fn with_access_points(self, path: &Path) -> Result<Self, TransmitterFileError> {
        let access_points = access_points::read(path)?;
        Ok(Self {
            access_points,
            ..self
        })
    }
}

impl Transmitters for TransmitterTables {
    fn cell(&self, cell: Cell) -> Option<Transmitter> {
        self.cells.find(&cell)
    }

    fn access_point(&self, address: HardwareAddress) -> Option<Transmitter> {
        self.access_points.find(&address)
    }
}
