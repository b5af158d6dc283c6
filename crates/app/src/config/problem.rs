//! What is wrong with a configuration. It must be said so that all of it can be mended at once.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem(pub(crate) String);

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A list of tables as far as it could be read.
#[derive(Debug)]
pub(super) struct ReadList<T> {
    pub(super) entries: Vec<T>,
    pub(super) problems: Vec<Problem>,
}

impl<T> Default for ReadList<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            problems: Vec::new(),
        }
    }
}

impl<T> ReadList<T> {
    /// A list that was read whole, or why nothing of it was.
    pub(super) fn of(read: Result<Vec<T>, String>) -> Self {
        let mut list = Self::default();
        match read {
            Ok(entries) => list.entries = entries,
            Err(problem) => list.problem(problem),
        }
        list
    }

    pub(super) fn problem(&mut self, text: String) {
        self.problems.push(Problem(text));
    }
}

/// Every entry of a section as it is read, or what is wrong with each that cannot be, by its place.
pub(super) fn each<R, T>(
    section: &str,
    raw: &[R],
    read: impl Fn(&R) -> Result<T, String>,
) -> Result<Vec<T>, Vec<Problem>> {
    each_once(section, raw, (read, |_, _, _| None))
}

/// The same, where an entry may also be refused beside those before it, for a reason.
pub(super) fn each_once<R, T>(
    section: &str,
    raw: &[R],
    (read, refused): (
        impl Fn(&R) -> Result<T, String>,
        impl Fn(&R, &T, &[T]) -> Option<String>,
    ),
) -> Result<Vec<T>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut entries = Vec::new();
    for (index, raw) in (1_usize..).zip(raw) {
        let entry = read(raw).and_then(|entry| match refused(raw, &entry, &entries) {
            Some(wrong) => Err(wrong),
            None => Ok(entry),
        });
        match entry {
            Ok(entry) => entries.push(entry),
            Err(wrong) => problems.push(Problem(format!("{section} {index}: {wrong}"))),
        }
    }
    if problems.is_empty() {
        Ok(entries)
    } else {
        Err(problems)
    }
}

/// How the entries of a section become values.
#[cfg(test)]
pub(super) type SectionParser<R, T> = (
    fn(toml::Value) -> ReadList<R>,
    fn(&[R]) -> Result<Vec<T>, Vec<Problem>>,
);

/// The values of a section as it stands in a file, or everything that is wrong with it.
#[cfg(test)]
pub(super) fn written<R, T>(
    section: toml::Value,
    (read, parse): SectionParser<R, T>,
) -> Result<Vec<T>, Vec<String>> {
    let messages = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect();
    let list = read(section);
    if list.problems.is_empty() {
        parse(&list.entries).map_err(messages)
    } else {
        Err(messages(list.problems))
    }
}

/// The same of a file that has nothing else.
#[cfg(test)]
pub(super) fn written_alone<R, T>(
    (file, section): (&str, &str),
    parser: SectionParser<R, T>,
) -> Result<Vec<T>, Vec<String>> {
    let mut table: toml::Table = file.parse().unwrap();
    let value = table.remove(section).unwrap();
    assert!(table.is_empty(), "{table:?}");
    written(value, parser)
}
