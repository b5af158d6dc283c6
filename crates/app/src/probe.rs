//! Stopping a test build at a named moment of a payment, so that a test can kill it exactly there.
//! A release build must not contain it.

use std::path::PathBuf;

use async_trait::async_trait;
use ports::fault_point::{FaultPoint, FaultStep};

/// The variable that names the moment.
const AT: &str = "MANILLA_PAUSE_AT";
/// The variable that names the file which is made when the moment has come.
const FILE: &str = "MANILLA_PAUSE_FILE";

/// Stops at one moment, for ever.
#[derive(Debug)]
pub(crate) struct Pause {
    at: FaultStep,
    file: PathBuf,
}

impl Pause {
    /// The pause that the environment asks for, if any.
    pub(crate) fn from_environment(
        variable: impl Fn(&str) -> Option<String>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(word) = variable(AT) else {
            return Ok(None);
        };
        let known = FaultStep::ALL.map(FaultStep::code).join(", ");
        let at = FaultStep::ALL
            .into_iter()
            .find(|moment| moment.code() == word);
        let Some(at) = at else {
            anyhow::bail!("{AT} must be one of {known}, not \"{word}\"");
        };
        let Some(file) = variable(FILE).filter(|file| !file.is_empty()) else {
            anyhow::bail!("{FILE} must name the file to make when {AT} is reached");
        };
        Ok(Some(Self {
            at,
            file: file.into(),
        }))
    }
}

#[async_trait]
impl FaultPoint for Pause {
    async fn reached(&self, moment: FaultStep) {
        if moment != self.at {
            return;
        }
        if let Err(error) = std::fs::write(&self.file, moment.code()) {
            tracing::error!(file = %self.file.display(), %error, "the pause cannot be announced");
        }
        tracing::warn!(moment = moment.code(), "paused for ever, as asked");
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tempfile::TempDir;

    use super::*;

    fn asked(variables: &[(&str, &str)]) -> anyhow::Result<Option<Pause>> {
        let variables: HashMap<&str, &str> = variables.iter().copied().collect();
        Pause::from_environment(|name| variables.get(name).map(|text| (*text).to_owned()))
    }

    #[test]
    fn only_a_known_moment_with_a_file_is_a_pause() {
        assert!(asked(&[]).unwrap().is_none());
        assert!(asked(&[(AT, "after-open"), (FILE, "f")]).unwrap().is_some());
        let unknown = asked(&[(AT, "after-lunch"), (FILE, "f")]).unwrap_err();
        assert!(unknown.to_string().contains("before-open, after-open"));
        assert!(asked(&[(AT, "after-open")]).is_err());
    }

    #[tokio::test]
    async fn it_stops_at_its_moment_and_at_no_other() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("reached");
        let pause = Pause {
            at: FaultStep::AfterOpen,
            file: file.clone(),
        };
        pause.reached(FaultStep::BeforeOpen).await;
        assert!(!file.exists());

        let stopped = tokio::select! {
            biased;
            () = pause.reached(FaultStep::AfterOpen) => false,
            () = std::future::ready(()) => true,
        };
        assert!(stopped);
        assert_eq!(std::fs::read_to_string(file).unwrap(), "after-open");
    }
}
