//! How far the database had come when this machine last heard of it, kept in a file beside it. It
//! must be a lower bound: losing the file, or keeping an older one, may only make it less watchful.

use super::Seen;
use std::fs;
use std::io;
use std::path::Path;

/// Which books, and how far their log had come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) system_identifier: i64,
    pub(super) timeline: i32,
    pub(super) database: i64,
    pub(super) number: i32,
    pub(super) log_position: i64,
}

impl Mark {
    /// Whether it is of the very log that was seen now.
    pub(super) fn is_of(&self, seen: &Seen) -> bool {
        self.system_identifier == seen.system_identifier
            && self.timeline == seen.timeline
            && self.database == seen.database
    }
}

/// The mark in a file; none where there is no file, or none of ours.
pub(super) fn read(file: &Path) -> Option<Mark> {
    let text = fs::read_to_string(file).ok()?;
    let mut numbers = text.split_whitespace().map(|word| word.parse::<i64>().ok());
    let mut next = || numbers.next().flatten();
    Some(Mark {
        system_identifier: next()?,
        timeline: next()?.try_into().ok()?,
        database: next()?,
        number: next()?.try_into().ok()?,
        log_position: next()?,
    })
}

/// Puts a mark in the place of the one before, whole or not at all. Processes that share the file
/// take turns without waiting: whichever comes last has a bound that is true.
pub(super) fn write(file: &Path, mark: &Mark) -> io::Result<()> {
    let fresh = file.with_extension(format!("{}.new", std::process::id()));
    let text = format!(
        "{} {} {} {} {}\n",
        mark.system_identifier, mark.timeline, mark.database, mark.number, mark.log_position
    );
    fs::write(&fresh, text)?;
    fs::rename(&fresh, file)
}

#[cfg(test)]
mod tests {
    use super::{Mark, read, write};

    #[test]
    fn a_mark_reads_back_and_what_is_none_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("database.mark");
        assert_eq!(read(&file), None);
        let mark = Mark {
            system_identifier: -7,
            timeline: 2,
            database: 16_384,
            number: 1,
            log_position: i64::MAX,
        };
        write(&file, &mark).unwrap();
        assert_eq!(read(&file), Some(mark));
        std::fs::write(&file, "7 2 x").unwrap();
        assert_eq!(read(&file), None);
    }
}
