//! The data folder as a power cut leaves it: images made from a record of every write and every
//! flush of the real program under load. It must not demand anything of an image that the program
//! had not flushed before the cut.
//!
//! **Record.** `tests/power-cut/record.c` is loaded into the program and appends every call that
//! changes a file of the data folder to a log, in the order of their effects, before the call
//! returns. A flush has two records, one before it began and one after it succeeded. At the end the
//! whole record is replayed and compared with the real folder byte for byte: a call the library
//! does not know shows as a difference, or is recorded as unsupported, and fails the suite.
//!
//! **What was acknowledged.** A client notes the length of the log after it has read an answer.
//! Everything the answer rests on happened before it was sent, and each call is in the log before
//! it returns; so every flush the answer waited for ended at or before that length. An image cut at
//! or after it must contain the payment. An image cut before it is not asked about the payment: the
//! noted length may be too large, never too small, so no loss is reported that is none.
//!
//! **Image.** The cut is a place between two records. Writes to a file that were recorded before
//! the begin of a flush of that file are on the disk if the end of the flush is before the cut.
//! Each other write before the cut is independently dropped, kept, or torn: a prefix or any subset
//! of its sectors. The same holds for truncations, and for names (created, renamed, linked,
//! removed) until the folder they are in is flushed; flushing a file does not keep its name. This
//! is POSIX, and harsher than file systems that keep the order of names.
//!
//! **The sandbox's own file** stands for a company elsewhere, whose computer has power: what it
//! wrote before the cut is there. So the audit of an image compares exactly what was delivered
//! before the cut with what is stored after it: nothing may be delivered that was not stored
//! before.
//!
//! **Control.** The same record with the flushes of the database's log counted as `PRAGMA
//! synchronous = NORMAL` makes them must show lost payments, or the method proves nothing.
#![cfg(test)]

mod cuts;
mod disk;
mod image;
mod images;
mod names;
mod record;
mod recording;
