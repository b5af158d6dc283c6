//! Reading of the tables in `data/`: tab-separated, `#` opens a comment. It must never know what a
//! column means.

/// The first two columns of every record, in file order. Columns after the second are for readers
/// of the file. A line without a tab is no record; the tests of each table prove there is none.
pub(crate) fn records(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (first, rest) = line.split_once('\t')?;
            let second = rest.split('\t').next().unwrap_or(rest);
            Some((first, second))
        })
}

/// Asserts what every table promises: each line is a comment or a record of exactly `columns`
/// trimmed, filled columns, and the first column rises strictly, so it is sorted and unique.
#[cfg(test)]
pub(crate) fn assert_well_formed(file: &'static str, columns: usize) {
    let lines = || file.lines().filter(|line| !line.starts_with('#'));
    for line in lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), columns, "{line:?}");
        assert!(
            cells
                .iter()
                .all(|cell| !cell.is_empty() && cell.trim() == *cell),
            "{line:?}"
        );
    }
    assert_eq!(records(file).count(), lines().count());
    let keys: Vec<&str> = records(file).map(|(key, _)| key).collect();
    assert!(
        keys.is_sorted_by(|left, right| left < right),
        "not strictly sorted"
    );
}
