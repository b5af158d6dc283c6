//! Whether the code behaves as a mutant of it. This is the whole of a crate that `cargo xtask
//! mutants` adds to the copy it tests; it must never be part of the product.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

struct Switches {
    on: Option<usize>,
    /// The numbers of mutants that were reached so far, and where they are written.
    reached: Option<(File, Vec<AtomicBool>)>,
}

static SWITCHES: OnceLock<Switches> = OnceLock::new();

fn read() -> Switches {
    let number = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    let file = std::env::var_os("MUTANTS_REACHED")
        .and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
    let count = number("MUTANTS_COUNT").unwrap_or_default();
    let seen = || (0..count).map(|_| AtomicBool::new(false)).collect();
    Switches {
        on: number("MUTANT_ON"),
        reached: file.map(|file| (file, seen())),
    }
}

/// Whether this mutant is on: `MUTANT_ON` names one for the whole process.
#[inline]
pub fn is_on(number: usize) -> bool {
    let switches = SWITCHES.get_or_init(read);
    if let Some((file, seen)) = &switches.reached {
        let first = seen.get(number).is_some_and(|seen| {
            !seen.load(Ordering::Relaxed) && !seen.swap(true, Ordering::Relaxed)
        });
        if first {
            let mut file = file;
            _ = file.write_all(format!("{number}\n").as_bytes());
        }
    }
    switches.on == Some(number)
}
