//! Ranges of addresses as a compact table. It must not keep a range that ends before it begins, nor
//! two for one address.
//!
//! The table is: the number of blocks (4 bytes), for each block the point it begins at (8 bytes)
//! and where its rows are (4 bytes), and then the rows. A row is the distance from the row before
//! it and a value, both in groups of seven bits, the lowest first, the top bit of a byte set
//! where more follow. The first row of a block has no distance. A value holds until the next row;
//! 0 is none. Numbers of fixed length begin with their lowest byte. A point is an IPv4 address,
//! or the first 64 bits of an IPv6 address: no finer place is kept.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// Rows of a block: enough that the index is small, few enough that reading them is nothing.
const BLOCK_ROWS: usize = 32;

/// Of the addresses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Version {
    Four,
    Six,
}

impl Version {
    pub(super) const fn digit(self) -> char {
        match self {
            Self::Four => '4',
            Self::Six => '6',
        }
    }

    /// How many addresses are one point.
    const fn unit(self) -> u128 {
        match self {
            Self::Four => 1,
            Self::Six => 1 << 64,
        }
    }
}

/// Points from the first to before the end, with what they have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u64,
    end: u64,
    value: u64,
}

/// The table of a CSV file whose lines are a first address, a last one, and fields that have a
/// value or, where they have none, are left out.
pub(super) fn table(
    version: Version,
    text: &str,
    mut value: impl FnMut(&str) -> Result<Option<u64>>,
) -> Result<Vec<u8>> {
    let mut ranges = Vec::new();
    for line in text.lines() {
        let read = range(version, line, &mut value);
        ranges.extend(read.with_context(|| format!("the line `{line}`"))?);
    }
    encoded(&rows(ranges))
}

fn range(
    version: Version,
    line: &str,
    value: &mut impl FnMut(&str) -> Result<Option<u64>>,
) -> Result<Option<Range>> {
    let mut fields = line.splitn(3, ',');
    let mut next = || fields.next().context("has too few fields");
    let (first, last) = (next()?.parse::<u128>()?, next()?.parse::<u128>()?);
    if last < first {
        bail!("ends before it begins");
    }
    let Some(value) = value(next()?)? else {
        return Ok(None);
    };
    // The whole point belongs to the holder of its first address.
    let range = Range {
        first: u64::try_from(first.div_ceil(version.unit()))?,
        end: u64::try_from((last + 1).div_ceil(version.unit()))?,
        value,
    };
    Ok((range.first < range.end).then_some(range))
}

/// Where values begin. A range ends where the next begins at the latest: the packages list a part
/// of a range after the whole, and the rest of the whole after the part.
fn rows(mut ranges: Vec<Range>) -> Vec<(u64, u64)> {
    ranges.sort_by_key(|range| range.first);
    let mut begins = BTreeMap::from([(0, 0)]);
    let following = ranges.iter().skip(1).map(|next| next.first);
    for (range, next) in ranges.iter().zip(following.chain([u64::MAX])) {
        begins.insert(range.first, range.value);
        if range.end < next {
            begins.insert(range.end, 0);
        }
    }
    let mut rows: Vec<(u64, u64)> = begins.into_iter().collect();
    rows.dedup_by_key(|(_, value)| *value);
    rows
}

fn encoded(rows: &[(u64, u64)]) -> Result<Vec<u8>> {
    let blocks = rows.chunks(BLOCK_ROWS);
    let count = u32::try_from(blocks.len())?;
    let mut table = count.to_le_bytes().to_vec();
    let mut body = Vec::new();
    for block in blocks {
        let mut before = None;
        for (at, value) in block {
            match before {
                None => {
                    table.extend(at.to_le_bytes());
                    table.extend(u32::try_from(body.len())?.to_le_bytes());
                }
                Some(before) => put(&mut body, at - before),
            }
            put(&mut body, *value);
            before = Some(at);
        }
    }
    table.extend(body);
    Ok(table)
}

/// Seven bits a byte, the lowest first.
fn put(body: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        body.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    body.push(number.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: u64, end: u64, value: u64) -> Range {
        Range { first, end, value }
    }

    #[test]
    fn a_part_interrupts_the_whole_and_a_gap_has_no_value() {
        let listed = vec![
            range(10, 30, 1),
            range(15, 20, 2),
            range(20, 30, 1),
            range(40, 50, 1),
        ];
        assert_eq!(
            rows(listed),
            [(0, 0), (10, 1), (15, 2), (20, 1), (30, 0), (40, 1), (50, 0)]
        );
    }

    #[test]
    fn ranges_that_touch_and_agree_are_one() {
        let listed = vec![range(20, 30, 7), range(10, 20, 7)];
        assert_eq!(rows(listed), [(0, 0), (10, 7), (30, 0)]);
    }

    #[test]
    fn an_ipv6_point_belongs_to_the_holder_of_its_first_address() {
        let unit = 1_u128 << 64;
        let read = |first: u128, last: u128| {
            let line = format!("{first},{last},x");
            super::range(Version::Six, &line, &mut |_| Ok(Some(1))).unwrap()
        };
        assert_eq!(read(unit, 2 * unit - 1), Some(range(1, 2, 1)));
        assert_eq!(read(unit, unit + 5), Some(range(1, 2, 1)));
        assert_eq!(
            read(unit + 5, 2 * unit - 1),
            None,
            "a part that is not the first"
        );
    }

    #[test]
    fn numbers_are_groups_of_seven_bits() {
        let mut body = Vec::new();
        for number in [0, 127, 128, 300] {
            put(&mut body, number);
        }
        assert_eq!(body, [0, 0x7f, 0x80, 1, 0xac, 2]);
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_refused() {
        assert!(table(Version::Four, "7,6,x", |_| Ok(Some(1))).is_err());
    }
}
