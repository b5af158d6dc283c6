//! What a setting is: its names, its meaning, its default and how to read it. It must not hold a
//! value.

use std::fmt;

use super::parse::Parsed;

/// One setting of type `T`.
pub(crate) struct SettingKey<T> {
    /// Its name in the file and for `--set`, such as `server.listen`.
    pub(crate) name: &'static str,
    /// The environment variable that sets it.
    pub(crate) env: &'static str,
    /// What it does, in one sentence.
    pub(crate) help: &'static str,
    /// The value without any configuration.
    pub(crate) default: &'static str,
    /// How it is written and shown.
    pub(crate) shape: SettingShape,
    /// How it is read.
    pub(crate) parse: fn(&str) -> Parsed<T>,
}

/// How a setting is written and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingShape {
    /// A number, written bare.
    Number,
    /// A text, written in quotes.
    Text,
    /// A path; in a file it counts from the folder of the file.
    Path,
    /// A text that is never shown.
    Secret,
}

/// A setting of whatever type.
pub(crate) trait Setting: fmt::Debug + Sync {
    fn name(&self) -> &'static str;
    fn env(&self) -> &'static str;
    fn help(&self) -> &'static str;
    fn default(&self) -> &'static str;
    fn shape(&self) -> SettingShape;

    /// Refuses a text that is no value of this setting, saying what would be.
    #[cfg(test)]
    fn check(&self, text: &str) -> Parsed<()>;
}

impl<T> Setting for SettingKey<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn env(&self) -> &'static str {
        self.env
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn default(&self) -> &'static str {
        self.default
    }

    fn shape(&self) -> SettingShape {
        self.shape
    }

    #[cfg(test)]
    fn check(&self, text: &str) -> Parsed<()> {
        (self.parse)(text).map(|_| ())
    }
}

impl<T> fmt::Debug for SettingKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.name).finish()
    }
}
