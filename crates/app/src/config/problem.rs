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
    let mut problems = Vec::new();
    let mut entries = Vec::new();
    for (index, raw) in (1_usize..).zip(raw) {
        match read(raw) {
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
