//! A time of day that only the program sees, with libfaketime. A suite must fail where the library
//! is missing: a clock that could not be set proves nothing.

use std::path::{Path, PathBuf};

/// Where Debian puts the library, by processor.
const LIBRARIES: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
];

/// The time of day of one program, as seconds it is ahead.
#[derive(Debug)]
pub(crate) struct FakeClock {
    library: &'static str,
    file: PathBuf,
}

impl FakeClock {
    /// A clock that is right so far; its file is written.
    pub(crate) fn new(file: PathBuf) -> Self {
        let library = LIBRARIES.into_iter().find(|path| Path::new(path).is_file());
        let library = library.expect("libfaketime is needed: install Debian's package `faketime`");
        let clock = Self { library, file };
        clock.set(0);
        clock
    }

    /// The variables that give it to a program.
    pub(crate) fn environment(&self) -> [(&'static str, String); 5] {
        let file = self.file.to_str().expect("a path in UTF-8").to_owned();
        let on = || "1".to_owned();
        [
            ("LD_PRELOAD", self.library.to_owned()),
            ("FAKETIME_TIMESTAMP_FILE", file),
            ("FAKETIME_NO_CACHE", on()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", on()),
            // Files keep the times the machine gives them.
            ("NO_FAKE_STAT", on()),
        ]
    }

    /// Sets it so many seconds ahead, or behind. The file is replaced whole: the program reads it
    /// at any moment.
    pub(crate) fn set(&self, seconds: i64) {
        let draft = self.file.with_extension("draft");
        std::fs::write(&draft, format!("{seconds:+}s\n")).expect("the clock's file");
        std::fs::rename(&draft, &self.file).expect("the clock's file");
    }
}
