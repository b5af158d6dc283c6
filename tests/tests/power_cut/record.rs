//! The record as the library writes it. It must refuse what it does not understand: a record that
//! is passed over is a write that images would miss.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAGIC: u32 = 0x5455_4350;
const HEADER_BYTES: usize = 40;

/// The source of the library.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/power-cut/record.c");

/// A descriptor of a process.
pub(crate) type Descriptor = (i32, i32);

/// One call that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DiskCall {
    Open {
        truncates: bool,
        path: String,
    },
    /// The bytes are a range of the log.
    Write {
        offset: u64,
        bytes: Range<usize>,
    },
    Truncate {
        length: u64,
    },
    SyncBegin {
        flush: i64,
    },
    SyncEnd {
        flush: i64,
    },
    Rename {
        from: String,
        to: String,
    },
    Unlink {
        path: String,
    },
    Link {
        from: String,
        to: String,
    },
    MakeFolder {
        path: String,
    },
    RemoveFolder {
        path: String,
    },
    Close,
    Duplicate {
        copy: i32,
    },
}

/// A call, which descriptor it used, and where its record ends in the log.
#[derive(Debug, Clone)]
pub(crate) struct DiskRecord {
    pub(crate) call: DiskCall,
    pub(crate) descriptor: Descriptor,
    pub(crate) end: u64,
}

/// Builds the library into a folder.
pub(crate) fn build(folder: &Path) -> PathBuf {
    let library = folder.join("record.so");
    let mut compiler = Command::new("cc");
    compiler.args([
        "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
    ]);
    compiler.arg("-o").arg(&library).args([SOURCE, "-pthread"]);
    let status = compiler.status();
    let status = status.expect("a C compiler is needed, such as Debian's package gcc");
    assert!(status.success(), "{compiler:?}");
    library
}

/// Reads a whole log; paths are relative to the folder.
pub(crate) fn read(log: &[u8], folder: &Path) -> Vec<DiskRecord> {
    let mut records = Vec::new();
    let mut reader = Reader { log, at: 0 };
    while reader.at < log.len() {
        records.push(reader.record(folder));
    }
    records
}

struct Reader<'a> {
    log: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Range<usize> {
        let range = self.at..self.at + count;
        assert!(range.end <= self.log.len(), "the log ends within a record");
        self.at = range.end;
        range
    }

    fn number<const N: usize>(&mut self) -> [u8; N] {
        let range = self.take(N);
        self.log[range].try_into().unwrap()
    }

    fn path(&mut self, bytes: u32, folder: &Path) -> String {
        let range = self.take(usize::try_from(bytes).unwrap());
        let text = std::str::from_utf8(&self.log[range]).expect("a path in UTF-8");
        let relative = Path::new(text).strip_prefix(folder);
        relative
            .map_or(text, |path| path.to_str().unwrap())
            .to_owned()
    }

    fn record(&mut self, folder: &Path) -> DiskRecord {
        let start = self.at;
        let word = |bytes: [u8; 4]| u32::from_ne_bytes(bytes);
        assert_eq!(word(self.number()), MAGIC, "no record at {start}");
        let kind = word(self.number());
        let process = i32::from_ne_bytes(self.number());
        let descriptor = i32::from_ne_bytes(self.number());
        let number = i64::from_ne_bytes(self.number());
        let data = u64::from_ne_bytes(self.number());
        let (path, target) = (word(self.number()), word(self.number()));
        assert_eq!(self.at - start, HEADER_BYTES);
        let path = self.path(path, folder);
        let target = self.path(target, folder);
        let bytes = self.take(usize::try_from(data).unwrap());
        let unsigned = || u64::try_from(number).expect("an offset");
        let call = match kind {
            1 => DiskCall::Open {
                truncates: number & O_TRUNC != 0,
                path,
            },
            2 => DiskCall::Write {
                offset: unsigned(),
                bytes,
            },
            3 => DiskCall::Truncate { length: unsigned() },
            4 => DiskCall::SyncBegin { flush: number },
            5 => DiskCall::SyncEnd { flush: number },
            6 => DiskCall::Rename {
                from: path,
                to: target,
            },
            7 => DiskCall::Unlink { path },
            8 => DiskCall::Link {
                from: path,
                to: target,
            },
            9 => DiskCall::MakeFolder { path },
            10 => DiskCall::RemoveFolder { path },
            11 => DiskCall::Close,
            12 => DiskCall::Duplicate {
                copy: i32::try_from(number).unwrap(),
            },
            13 => panic!("the program used {path:?}, which no image can show"),
            other => panic!("no record is of kind {other}"),
        };
        DiskRecord {
            call,
            descriptor: (process, descriptor),
            end: self.at as u64,
        }
    }
}

/// The flag of `open` that empties the file, on Linux.
const O_TRUNC: i64 = 0o1000;
