//! What is on the disk and what only the operating system has, as a record goes on; and images of
//! what a power cut leaves of both. It must not keep anything in an image that was not flushed and
//! that chance did not keep.

use crate::image::Image;
use crate::names::{FileNames, NameChange, beneath};
use crate::record::{Descriptor, DiskCall, DiskRecord};
use ::tests::rng::SeededRng;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// What a disk writes at once or not at all.
const SECTOR: usize = 512;

/// The file of the sandbox: written by a company whose computer has power.
const ELSEWHERE: &str = "sandbox.journal";

/// The database and its log.
const DATABASE: &str = "manilla.db";
const LOG: &str = "manilla.db-wal";

/// A header of the database's log, which is flushed in every mode when the log begins anew.
const LOG_HEADER_BYTES: usize = 32;

/// Which flushes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flushes {
    All,
    /// Of the database's log only those before a checkpoint and of its header, which is what
    /// `PRAGMA synchronous = NORMAL` flushes.
    AsNormal,
}

/// A disk and the operating system above it.
#[derive(Debug)]
pub(crate) struct RecordedDisk<'a> {
    log: &'a [u8],
    flushes: Flushes,
    objects: Vec<Object>,
    /// What the program sees.
    seen: FileNames,
    /// What is on the disk.
    kept: FileNames,
    renamings: Vec<(usize, NameChange)>,
    open: HashMap<Descriptor, usize>,
    begun: HashMap<(i32, i64), (usize, usize)>,
    /// A flush of the database's log that counts if a checkpoint follows.
    postponed: Option<(usize, usize)>,
    at: usize,
}

/// A file, or a folder, which has no content.
#[derive(Debug, Default)]
struct Object {
    is_folder: bool,
    /// The name it was made with.
    name: String,
    content: Vec<u8>,
    changes: Vec<(usize, Change)>,
}

#[derive(Debug, Clone)]
enum Change {
    Write { offset: usize, bytes: Range<usize> },
    Truncate { length: usize },
}

impl<'a> RecordedDisk<'a> {
    /// A disk that has what an image has, before the first record.
    pub(crate) fn new(log: &'a [u8], before: &Image, flushes: Flushes) -> Self {
        let root = Object {
            is_folder: true,
            ..Object::default()
        };
        let mut disk = Self {
            log,
            flushes,
            objects: vec![root],
            seen: FileNames::from([(String::new(), 0)]),
            kept: FileNames::new(),
            renamings: Vec::new(),
            open: HashMap::new(),
            begun: HashMap::new(),
            postponed: None,
            at: 0,
        };
        for (name, content) in &before.0 {
            let object = disk.object(name, content.is_none());
            disk.objects[object].content = content.clone().unwrap_or_default();
            disk.seen.insert(name.clone(), object);
        }
        disk.kept = disk.seen.clone();
        disk
    }

    fn object(&mut self, name: &str, is_folder: bool) -> usize {
        let name = name.to_owned();
        self.objects.push(Object {
            is_folder,
            name,
            ..Object::default()
        });
        self.objects.len() - 1
    }

    fn named(&mut self, change: NameChange) {
        change.apply(&mut self.seen);
        if matches!(&change, NameChange::Given { name, .. } if name == ELSEWHERE) {
            change.apply(&mut self.kept);
        } else {
            self.renamings.push((self.at, change));
        }
    }

    fn changed(&mut self, descriptor: Descriptor, change: Change) {
        let object = self.of(descriptor);
        self.judge_postponed(object);
        let is_elsewhere = self.objects[object].name == ELSEWHERE;
        self.objects[object].changes.push((self.at, change));
        if is_elsewhere {
            self.flushed(object, self.at + 1);
        }
    }

    /// Counts or forgets the postponed flush of the database's log, by what is written next: it was
    /// one of a checkpoint if the database is, and one of the header if that was written before it.
    fn judge_postponed(&mut self, object: usize) {
        let Some((log, begin)) = self.postponed else {
            return;
        };
        let before = |(at, _): &&(usize, Change)| *at < begin;
        let last = self.objects[log].changes.iter().rfind(before);
        let is_header = last.is_some_and(|(_, change)| match change {
            Change::Write { offset, bytes } => *offset == 0 && bytes.len() == LOG_HEADER_BYTES,
            Change::Truncate { .. } => false,
        });
        let is_database = self.objects[object].name == DATABASE;
        if is_database || is_header {
            self.flushed(log, begin);
        }
        if is_database || object == log {
            self.postponed = None;
        }
    }

    fn of(&self, descriptor: Descriptor) -> usize {
        let object = self.open.get(&descriptor);
        *object.unwrap_or_else(|| panic!("{descriptor:?} was never opened"))
    }

    /// Goes on by one record.
    pub(crate) fn apply(&mut self, record: &DiskRecord) {
        let by = record.descriptor;
        match &record.call {
            DiskCall::Open { truncates, path } => self.opened(by, path, *truncates),
            DiskCall::Write { offset, bytes } => {
                let offset = usize::try_from(*offset).unwrap();
                self.changed(
                    by,
                    Change::Write {
                        offset,
                        bytes: bytes.clone(),
                    },
                );
            }
            DiskCall::Truncate { length } => {
                let length = usize::try_from(*length).unwrap();
                self.changed(by, Change::Truncate { length });
            }
            DiskCall::SyncBegin { flush } => {
                let object = self.of(by);
                self.begun.insert((by.0, *flush), (object, self.at));
            }
            DiskCall::SyncEnd { flush } => {
                let (object, begin) = self.begun.remove(&(by.0, *flush)).expect("it began");
                if self.flushes == Flushes::AsNormal && self.objects[object].name == LOG {
                    self.postponed = Some((object, begin));
                } else {
                    self.flushed(object, begin);
                }
            }
            DiskCall::Rename { from, to } => {
                assert!(self.seen.contains_key(from), "{from} is not there");
                self.follow(from, to);
                self.named(NameChange::Moved {
                    from: from.clone(),
                    to: to.clone(),
                });
            }
            DiskCall::Link { from, to } => {
                let object = *self.seen.get(from).expect("what is linked is there");
                self.named(NameChange::Given {
                    name: to.clone(),
                    object,
                });
            }
            DiskCall::Unlink { path } | DiskCall::RemoveFolder { path } => {
                self.named(NameChange::Taken { name: path.clone() });
            }
            DiskCall::MakeFolder { path } => {
                let object = self.object(path, true);
                self.named(NameChange::Given {
                    name: path.clone(),
                    object,
                });
            }
            DiskCall::Close => {
                self.open.remove(&by);
            }
            DiskCall::Duplicate { copy } => {
                let object = self.of(by);
                self.open.insert((by.0, *copy), object);
            }
        }
        self.at += 1;
    }

    /// What is in a folder that is renamed goes with it, whatever of it is on the disk.
    fn follow(&mut self, from: &str, to: &str) {
        for object in self
            .objects
            .iter_mut()
            .filter(|object| !object.name.is_empty())
        {
            if let Some(after) = beneath(&object.name, from, to).filter(|_| object.name != from) {
                object.name = after;
            } else if object.is_folder && object.name == from {
                to.clone_into(&mut object.name);
            }
        }
        for (_, change) in &mut self.renamings {
            if let NameChange::Given { name, .. } = change
                && name == from
            {
                continue;
            }
            change.follow(from, to);
        }
    }

    fn opened(&mut self, by: Descriptor, path: &str, truncates: bool) {
        let object = self.seen.get(path).copied();
        let object = object.unwrap_or_else(|| {
            let object = self.object(path, false);
            self.named(NameChange::Given {
                name: path.to_owned(),
                object,
            });
            object
        });
        self.open.insert(by, object);
        if truncates {
            self.changed(by, Change::Truncate { length: 0 });
        }
    }

    /// Everything that happened to a file or in a folder before a moment is on the disk.
    fn flushed(&mut self, object: usize, begin: usize) {
        let log = self.log;
        let flushed = &mut self.objects[object];
        if flushed.is_folder {
            let folder = flushed.name.clone();
            self.renamings.retain(|(at, change)| {
                let counts = *at < begin && change.is_in(&folder);
                if counts {
                    change.apply(&mut self.kept);
                }
                !counts
            });
        }
        let flushed = &mut self.objects[object];
        let count = flushed.changes.partition_point(|(at, _)| *at < begin);
        for (_, change) in flushed.changes.drain(..count) {
            keep(&mut flushed.content, &change, log);
        }
    }

    /// What the program sees.
    pub(crate) fn whole(&self) -> Image {
        self.made(&self.seen, |object| self.complete(object))
    }

    /// What a power cut leaves.
    pub(crate) fn image(&self, chance: &mut SeededRng) -> Image {
        use Keeping::{Everything, Nothing, Some};
        // What is somewhere in between is likelier than the two ends.
        let keeping = *chance.pick(&[Nothing, Everything, Some, Some, Some, Some]);
        let mut names = self.kept.clone();
        for (_, change) in &self.renamings {
            if keeping.keeps(chance) {
                change.apply(&mut names);
            }
        }
        let image = self.made(&names, |object| match keeping {
            Nothing => object.content.clone(),
            Everything => self.complete(object),
            Some => self.torn(object, chance),
        });
        image.without_orphans()
    }

    /// The named objects with the content each is given; two names of one object have the same.
    fn made(&self, names: &FileNames, mut content_of: impl FnMut(&Object) -> Vec<u8>) -> Image {
        let mut contents = BTreeMap::new();
        let mut image = BTreeMap::new();
        for (name, number) in names.iter().filter(|(name, _)| !name.is_empty()) {
            let object = &self.objects[*number];
            let content = (!object.is_folder).then(|| {
                let content = contents
                    .entry(*number)
                    .or_insert_with(|| content_of(object));
                content.clone()
            });
            image.insert(name.clone(), content);
        }
        Image(image)
    }

    fn complete(&self, object: &Object) -> Vec<u8> {
        let mut content = object.content.clone();
        for (_, change) in &object.changes {
            keep(&mut content, change, self.log);
        }
        content
    }

    /// The content with each change that was not flushed dropped, kept or torn.
    fn torn(&self, object: &Object, chance: &mut SeededRng) -> Vec<u8> {
        let mut content = object.content.clone();
        for (_, change) in &object.changes {
            match (chance.below(4), change) {
                (0, _) | (2.., Change::Truncate { .. }) => {}
                (1, _) => keep(&mut content, change, self.log),
                (kind, Change::Write { offset, bytes }) => {
                    let sectors = sectors(*offset, bytes);
                    let prefix = chance.below(sectors.len() as u64 + 1);
                    for (index, (offset, bytes)) in sectors.into_iter().enumerate() {
                        let in_prefix = (index as u64) < prefix;
                        let is_kept = match kind {
                            2 => in_prefix,
                            _ => chance.below(2) == 0,
                        };
                        if is_kept {
                            keep(&mut content, &Change::Write { offset, bytes }, self.log);
                        }
                    }
                }
            }
        }
        content
    }
}

/// How much is kept of what was not flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeping {
    Nothing,
    Some,
    Everything,
}

impl Keeping {
    fn keeps(self, chance: &mut SeededRng) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Some => chance.below(2) == 0,
        }
    }
}

fn keep(content: &mut Vec<u8>, change: &Change, log: &[u8]) {
    match change {
        Change::Truncate { length } => content.resize(*length, 0),
        Change::Write { offset, bytes } => {
            let end = offset + bytes.len();
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*offset..end].copy_from_slice(&log[bytes.clone()]);
        }
    }
}

/// The parts of a write that a disk writes at once.
fn sectors(offset: usize, bytes: &Range<usize>) -> Vec<(usize, Range<usize>)> {
    let mut parts = Vec::new();
    let (mut offset, mut start) = (offset, bytes.start);
    while start < bytes.end {
        let length = (SECTOR - offset % SECTOR).min(bytes.end - start);
        parts.push((offset, start..start + length));
        offset += length;
        start += length;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY: Descriptor = (1, 3);
    const FOLDER: Descriptor = (1, 4);
    /// So many images of one place show everything that can happen there.
    const IMAGES: usize = 200;

    /// The contents `a` may have in images after these calls; nothing where it may be missing.
    fn contents(calls: &[(Descriptor, DiskCall)]) -> Vec<Option<Vec<u8>>> {
        let log: Vec<u8> = std::iter::repeat_n(b'x', 4 * SECTOR).collect();
        let mut disk = RecordedDisk::new(&log, &Image(BTreeMap::new()), Flushes::All);
        for (descriptor, call) in calls {
            disk.apply(&DiskRecord {
                call: call.clone(),
                descriptor: *descriptor,
                end: 0,
            });
        }
        let mut chance = SeededRng::new(1);
        let images = (0..IMAGES).map(|_| disk.image(&mut chance));
        let mut found: Vec<_> = images
            .map(|image| image.0.get("a").cloned().flatten())
            .collect();
        found.sort();
        found.dedup();
        found
    }

    fn open(path: &str) -> DiskCall {
        DiskCall::Open {
            truncates: false,
            path: path.to_owned(),
        }
    }

    fn write(offset: u64, length: usize) -> DiskCall {
        DiskCall::Write {
            offset,
            bytes: 0..length,
        }
    }

    const BEGIN: DiskCall = DiskCall::SyncBegin { flush: 1 };
    const END: DiskCall = DiskCall::SyncEnd { flush: 1 };

    /// A file whose name is on the disk.
    fn named() -> Vec<(Descriptor, DiskCall)> {
        vec![
            (FOLDER, open("")),
            (BY, open("a")),
            (FOLDER, BEGIN),
            (FOLDER, END),
        ]
    }

    #[test]
    fn what_was_flushed_is_in_every_image() {
        let calls = [named(), vec![(BY, write(0, 600)), (BY, BEGIN), (BY, END)]].concat();
        assert_eq!(contents(&calls), [Some(vec![b'x'; 600])]);
    }

    #[test]
    fn a_flush_that_has_not_ended_keeps_nothing() {
        let calls = [named(), vec![(BY, write(0, 600)), (BY, BEGIN)]].concat();
        assert!(contents(&calls).contains(&Some(Vec::new())));
    }

    #[test]
    fn a_write_within_a_flush_is_not_flushed_by_it() {
        let calls = [named(), vec![(BY, BEGIN), (BY, write(0, 600)), (BY, END)]].concat();
        assert!(contents(&calls).contains(&Some(Vec::new())));
    }

    #[test]
    fn a_write_that_was_not_flushed_is_dropped_kept_or_torn_between_sectors() {
        let calls = [named(), vec![(BY, write(0, 600))]].concat();
        let x = |count: usize| vec![b'x'; count];
        let second_only = [vec![0; SECTOR], x(600 - SECTOR)].concat();
        let expected = [Vec::new(), second_only, x(SECTOR), x(600)].map(Some);
        assert_eq!(contents(&calls), expected);
    }

    #[test]
    fn later_writes_may_be_kept_where_earlier_ones_are_dropped() {
        let calls = [
            named(),
            vec![(BY, write(0, 10)), (BY, write(SECTOR as u64, 10))],
        ]
        .concat();
        let later_only = [vec![0; SECTOR], vec![b'x'; 10]].concat();
        assert!(contents(&calls).contains(&Some(later_only)));
    }

    #[test]
    fn a_name_is_lost_until_its_folder_is_flushed() {
        let file = [(BY, open("a")), (BY, write(0, 10)), (BY, BEGIN), (BY, END)];
        let whole = Some(vec![b'x'; 10]);
        assert_eq!(contents(&file), [None, whole.clone()]);
        let folder = [(FOLDER, open("")), (FOLDER, BEGIN), (FOLDER, END)];
        assert_eq!(contents(&[&file[..], &folder].concat()), [whole]);
    }
}
