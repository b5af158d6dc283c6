//! One setting as it is shown, and sentences as comments. It must never hold a secret.

use super::raw::SettingSource;

/// What stands in the place of a secret.
pub(super) const REDACTED: &str = "(redacted)";

/// One setting as it is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingView {
    pub(crate) name: String,
    /// Its value, or what stands in the place of a secret.
    pub(crate) value: String,
    pub(crate) source: &'static str,
    /// The environment variable that sets it; price overrides have none.
    pub(crate) env: Option<&'static str>,
    /// Whether the value is written bare in a file.
    pub(crate) bare: bool,
}

impl SettingView {
    /// An entry that has no variable of its own.
    pub(super) fn of_entry(name: String, value: &str, source: SettingSource) -> Self {
        Self {
            name,
            value: value.to_owned(),
            source: source.word(),
            env: None,
            bare: false,
        }
    }

    /// The setting as a line of the file: `sandbox.seed = 1`.
    pub(crate) fn line(&self) -> String {
        if self.bare {
            format!("{} = {}", self.name, self.value)
        } else {
            format!("{} = {}", self.name, quoted(&self.value))
        }
    }

    /// Whether it is the default.
    pub(crate) fn is_default(&self) -> bool {
        self.source == SettingSource::Default.word()
    }

    /// Whether it holds for this one call alone, and is not in the file.
    pub(super) fn is_of_this_call(&self) -> bool {
        [SettingSource::Environment, SettingSource::Flag]
            .iter()
            .any(|source| self.source == source.word())
    }

    /// Where it was found: `default`, `file`, `flag`, or the variable of the environment.
    pub(crate) fn origin(&self) -> &'static str {
        let variable = self
            .env
            .filter(|_| self.source == SettingSource::Environment.word());
        variable.unwrap_or(self.source)
    }
}

/// Longest line of a comment in the template.
const COMMENT_COLUMNS_MAX: usize = 90;

/// A sentence as lines of comment.
pub(super) fn comment(sentence: &str) -> String {
    let mut lines = vec!["#".to_owned()];
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < COMMENT_COLUMNS_MAX => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n")
}

pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
