//! What a check found. It must say what to do where something is not as it should be.

use serde::Serialize;

/// How grave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FindingStatus {
    /// As it should be.
    Ok,
    /// A person should look.
    Warn,
    /// The gateway does not work, or may lose what it has.
    Fail,
}

impl FindingStatus {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub(super) status: FindingStatus,
    /// What was looked at.
    pub(super) check: String,
    pub(super) found: String,
    /// What to do; absent where there is nothing to do, or what was found says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<String>,
}

impl Finding {
    fn new(status: FindingStatus, check: &str, found: impl Into<String>) -> Self {
        // An error may have several lines, and a finding has one.
        let found: String = found.into();
        let lines: Vec<&str> = found.lines().map(str::trim).collect();
        Self {
            status,
            check: check.to_owned(),
            found: lines.join("; "),
            remedy: None,
        }
    }

    pub(super) fn ok(check: &str, found: impl Into<String>) -> Self {
        Self::new(FindingStatus::Ok, check, found)
    }

    pub(super) fn warn(check: &str, found: impl Into<String>) -> Self {
        Self::new(FindingStatus::Warn, check, found)
    }

    pub(super) fn fail(check: &str, found: impl Into<String>) -> Self {
        Self::new(FindingStatus::Fail, check, found)
    }

    /// An error with what caused it.
    pub(super) fn error(check: &str, error: impl Into<anyhow::Error>) -> Self {
        Self::fail(check, format!("{:#}", error.into()))
    }

    pub(super) fn remedied_by(self, remedy: impl Into<String>) -> Self {
        Self {
            remedy: Some(remedy.into()),
            ..self
        }
    }

    pub(super) fn cells(&self) -> [String; 3] {
        let found = match &self.remedy {
            None => self.found.clone(),
            Some(remedy) => format!("{}; {remedy}", self.found),
        };
        [self.status.word().to_owned(), self.check.clone(), found]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_with_its_remedy() {
        let finding = Finding::fail("pepper", "gone\n  since today").remedied_by("put it back");
        assert_eq!(
            finding.cells(),
            ["fail", "pepper", "gone; since today; put it back"]
        );
        let error = anyhow::anyhow!("no such file").context("pepper cannot be read");
        let found = Finding::error("pepper", error).found;
        assert_eq!(found, "pepper cannot be read: no such file");
    }
}
