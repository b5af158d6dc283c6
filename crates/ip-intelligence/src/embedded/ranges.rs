//! Reads a table of ranges in place. It must not trust the table: a truncated one has no value
//! there, and nothing panics.
//!
//! The table is: the number of blocks (4 bytes), for each block the point it begins at (8 bytes)
//! and the offset of its rows (4 bytes), and then the rows. A row is the distance from the row
//! before it and a value, both in groups of seven bits, the lowest first, the top bit of a byte set
//! where more follow. The first row of a block has no distance. A value applies until the next row;
//! 0 is none. Numbers of fixed length are little-endian.

/// The bytes of a block in the index.
const ENTRY: usize = 12;

/// A table of ranges.
#[derive(Debug)]
pub(crate) struct Ranges(&'static [u8]);

/// The rows of a block that have not been read yet.
struct Rows<'a> {
    at: Option<u64>,
    begin: u64,
    rest: &'a [u8],
}

impl Ranges {
    pub(crate) const fn new(table: &'static [u8]) -> Self {
        Self(table)
    }

    /// The value of a point: that of the last row which is not past it.
    pub(crate) fn value(&self, point: u64) -> Option<u64> {
        let (index, _) = self.parts()?;
        let after = index.partition_point(|entry| begin(entry) <= point);
        let rows = self.block(after.checked_sub(1)?)?;
        rows.take_while(|(at, _)| *at <= point)
            .last()
            .map(|(_, value)| value)
    }

    /// All rows.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u64, u64)> {
        let blocks = self.parts().map_or(0, |(index, _)| index.len());
        (0..blocks).filter_map(|block| self.block(block)).flatten()
    }

    fn parts(&self) -> Option<(&[[u8; ENTRY]], &[u8])> {
        let (count, rest) = self.0.split_first_chunk::<4>()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        let (index, rows) = rest.split_at_checked(count.checked_mul(ENTRY)?)?;
        Some((index.as_chunks().0, rows))
    }

    fn block(&self, number: usize) -> Option<Rows<'_>> {
        let (index, rows) = self.parts()?;
        let entry = index.get(number)?;
        let end = index
            .get(number.saturating_add(1))
            .map_or(rows.len(), offset);
        Some(Rows {
            at: None,
            begin: begin(entry),
            rest: rows.get(offset(entry)..end)?,
        })
    }
}

impl Iterator for Rows<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<Self::Item> {
        let at = match self.at {
            None => self.begin,
            Some(at) => at.checked_add(number(&mut self.rest)?)?,
        };
        self.at = Some(at);
        Some((at, number(&mut self.rest)?))
    }
}

fn begin(entry: &[u8; ENTRY]) -> u64 {
    entry
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn offset(entry: &[u8; ENTRY]) -> usize {
    let bytes = entry
        .last_chunk()
        .map_or(0, |bytes| u32::from_le_bytes(*bytes));
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Reads a number from the front.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (byte, left) = rest.split_first()?;
        *rest = left;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two blocks: 0 → none, 10 → 300; 20 → 7, 150 → none.
    const TABLE: &[u8] = &[
        2, 0, 0, 0, // blocks
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // the first begins at 0
        20, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, // the second at 20
        0, 10, 0xac, 2, // none; 10 further 300
        7, 0x82, 1, 0, // 7; 130 further none
    ];

    #[test]
    fn a_value_holds_until_the_next_row() {
        let table = Ranges::new(TABLE);
        for (point, value) in [
            (0, 0),
            (9, 0),
            (10, 300),
            (19, 300),
            (20, 7),
            (149, 7),
            (150, 0),
        ] {
            assert_eq!(table.value(point), Some(value), "{point}");
        }
        assert_eq!(table.value(u64::MAX), Some(0));
        assert_eq!(table.rows().count(), 4);
    }

    #[test]
    fn a_table_that_breaks_off_has_no_value_there_and_nothing_panics() {
        for length in 0..TABLE.len() {
            let table = Ranges::new(&TABLE[..length]);
            for point in [0, 10, 20, 150] {
                let found = table.value(point);
                assert!(found.is_none_or(|value| [0, 7, 300].contains(&value)));
            }
        }
        assert_eq!(Ranges::new(&[]).value(0), None);
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, point: u64) {
            let _ = Ranges::new(bytes.leak()).value(point);
        }
    }
}
