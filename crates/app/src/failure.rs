//! How a command fails: what is said, and the exit status. It must never say a secret: it prints
//! errors as they come.

use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;

/// A command that did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was asked in a way it does not understand: exit status 2.
    Usage(anyhow::Error),
    /// It could not do it: exit status 1.
    Failed(anyhow::Error),
    /// It did, and found something wrong, which was reported already: exit status 1.
    AlreadyReported,
    /// It was interrupted: exit status 130, as shells say it.
    Interrupted,
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Failure {
    /// A request that makes no sense, with the reason and the remedy.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self::Usage(error.into())
    }

    /// A value of a flag that is refused.
    pub(crate) fn flag(flag: &str, wrong: impl std::fmt::Display) -> Self {
        Self::Usage(anyhow::anyhow!("{flag} {wrong}"))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) | Self::AlreadyReported => ExitCode::from(1),
            Self::Interrupted => ExitCode::from(130),
        }
    }

    /// What is said on standard error; `None` where everything was said.
    pub(crate) fn message(&self) -> Option<String> {
        let error = match self {
            Self::Usage(error) | Self::Failed(error) => error,
            Self::AlreadyReported => return None,
            Self::Interrupted => return Some(INTERRUPTED.to_owned()),
        };
        let mut text = format!("error: {error}");
        for cause in causes(error) {
            let _ = write!(text, "\n  because: {cause}");
        }
        if let Some(remedy) = remedy(error) {
            let _ = write!(text, "\n  {remedy}");
        }
        Some(text)
    }

    /// The same as one JSON document, for scripts that asked for JSON.
    pub(crate) fn document(&self) -> Option<String> {
        let (error, because) = match self {
            Self::Usage(error) | Self::Failed(error) => {
                let mut because = causes(error);
                because.extend(remedy(error).map(ToOwned::to_owned));
                (error.to_string(), because)
            }
            Self::AlreadyReported => return None,
            Self::Interrupted => (INTERRUPTED.to_owned(), Vec::new()),
        };
        Some(document(&error, &because))
    }
}

const INTERRUPTED: &str = "stopped at once; payments under way are followed up at the next start";

/// What went wrong, and because of what, as one JSON document on one line.
pub(crate) fn document(error: &str, because: &[String]) -> String {
    let document = Document { error, because };
    // Texts in a structure of ours can always be written.
    serde_json::to_string(&document).unwrap_or_else(|_| error.to_owned())
}

#[derive(Serialize)]
struct Document<'a> {
    error: &'a str,
    because: &'a [String],
}

/// What an error was caused by. Some errors of others end in the words of their cause; once is
/// enough.
fn causes(error: &anyhow::Error) -> Vec<String> {
    let mut said = error.to_string();
    let mut causes = Vec::new();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !said.ends_with(&cause) {
            said.clone_from(&cause);
            causes.push(cause);
        }
    }
    causes
}

/// What to do about a disk that is full or cannot be written. Libraries say it in words of their
/// own.
fn remedy(error: &anyhow::Error) -> Option<&'static str> {
    let chain: Vec<_> = error
        .chain()
        .map(|it| it.to_string().to_lowercase())
        .collect();
    let says = |words: &[&str]| {
        let said = |it: &String| words.iter().any(|words| it.contains(words));
        chain.iter().any(said)
    };
    if says(&["no space left", "disk is full", "quota exceeded"]) {
        return Some(
            "the disk that is written to is full: free some space and run it again; what was \
             confirmed before is kept",
        );
    }
    if says(&["read-only file system", "readonly database"]) {
        return Some(
            "the data folder cannot be written: have its file system mounted for writing, or name \
             another folder with --data",
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_said_once() {
        let io = std::io::Error::other("disk on fire");
        let repeated = anyhow::Error::new(io).context("reading: disk on fire");
        let failure = Failure::from(repeated.context("the books cannot be opened"));
        assert_eq!(
            failure.message().unwrap(),
            "error: the books cannot be opened\n  because: reading: disk on fire"
        );
        assert_eq!(failure.exit_code(), ExitCode::from(1));
        assert_eq!(
            failure.document().unwrap(),
            r#"{"error":"the books cannot be opened","because":["reading: disk on fire"]}"#
        );
        assert_eq!(Failure::AlreadyReported.document(), None);
    }

    #[test]
    fn a_full_disk_and_one_that_cannot_be_written_come_with_what_to_do() {
        let said = |number: i32| {
            let error = std::io::Error::from_raw_os_error(number);
            let error = anyhow::Error::new(error).context("cannot be kept");
            Failure::from(error).message().unwrap()
        };
        // ENOSPC, EROFS and ENOENT.
        assert!(said(28).contains("free some space"));
        assert!(said(30).contains("mounted for writing"));
        assert!(!said(2).contains("folder"));
        let sqlite = anyhow::anyhow!("(code: 8) attempt to write a readonly database");
        let document = Failure::from(sqlite).document().unwrap();
        assert!(document.contains("mounted for writing"), "{document}");
        let full = anyhow::anyhow!("(code: 13) database or disk is full");
        assert!(
            Failure::from(full)
                .message()
                .unwrap()
                .contains("free some space")
        );
    }

    #[test]
    fn usage_is_distinguished_by_its_status() {
        let failure = Failure::flag("--amount", "must not be negative");
        assert_eq!(
            failure.message().unwrap(),
            "error: --amount must not be negative"
        );
        assert_eq!(failure.exit_code(), ExitCode::from(2));
        assert_eq!(Failure::AlreadyReported.message(), None);
    }
}
