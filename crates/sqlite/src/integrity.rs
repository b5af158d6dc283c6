//! Whether the file was found to be one database from end to end. Until it is, nothing new may be
//! opened.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether new transactions may be opened, as far as the file goes.
#[derive(Debug)]
pub(crate) struct Integrity {
    is_sound: AtomicBool,
}

impl Default for Integrity {
    /// A file that is not served is not checked.
    fn default() -> Self {
        let is_sound = AtomicBool::new(true);
        Self { is_sound }
    }
}

impl Integrity {
    pub(crate) fn is_sound(&self) -> bool {
        self.is_sound.load(Ordering::Acquire)
    }

    pub(crate) fn set_sound(&self, is_sound: bool) {
        self.is_sound.store(is_sound, Ordering::Release);
    }
}
