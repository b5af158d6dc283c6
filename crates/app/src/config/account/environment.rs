//! The setting that says whether what an account at a provider delivers is real. It must be written
//! for every provider that may be real: a guess would sell nothing for money, or goods for nothing.

use domain::environment::Environment;

use crate::config::problem::Problem;
use crate::config::raw::Raw;

/// The name of the setting.
pub(super) const ENVIRONMENT: &str = "environment";

/// What it does, for explaining it.
pub(super) const HELP: &str = "Required: live where orders are delivered and cost real money, test \
                               where they are not. It never changes: another account has another \
                               name.";

/// Where an account belongs; a sandbox is of the test environment whatever is written.
pub(super) fn read(
    account: &str,
    written: Option<&Raw>,
    is_sandbox: bool,
) -> Result<Environment, Problem> {
    let wrong = |wrong: &str| Problem(format!("`provider.{account}.{ENVIRONMENT}` {wrong}"));
    let Some(Raw { text, .. }) = written else {
        return if is_sandbox {
            Ok(Environment::Test)
        } else {
            Err(wrong(
                "is missing: write \"live\" where orders are delivered and cost real money, \
                 \"test\" where they are not",
            ))
        };
    };
    match Environment::from_code(text) {
        None => Err(wrong(&format!("must be live or test, not \"{text}\""))),
        Some(Environment::Live) if is_sandbox => Err(wrong(
            "cannot be live: a sandbox delivers nothing; leave it out",
        )),
        Some(environment) => Ok(environment),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::raw::SettingSource;

    fn of(text: Option<&str>, is_sandbox: bool) -> Result<Environment, String> {
        let raw = text.map(|text| Raw {
            text: text.to_owned(),
            source: SettingSource::File,
        });
        read("bank", raw.as_ref(), is_sandbox).map_err(|it| it.to_string())
    }

    #[test]
    fn only_a_sandbox_may_leave_it_out() {
        assert_eq!(of(None, true), Ok(Environment::Test));
        let missing = of(None, false).unwrap_err();
        assert!(
            missing.starts_with("`provider.bank.environment` is missing: "),
            "{missing}"
        );
        for environment in Environment::ALL {
            assert_eq!(of(Some(environment.code()), false), Ok(environment));
        }
    }

    #[test]
    fn a_sandbox_is_never_live_and_a_word_is_never_guessed() {
        assert_eq!(of(Some("test"), true), Ok(Environment::Test));
        let live = of(Some("live"), true).unwrap_err();
        assert!(live.contains("cannot be live"), "{live}");
        for word in ["Live", "production", ""] {
            let wrong = of(Some(word), false).unwrap_err();
            assert!(wrong.contains("must be live or test"), "{wrong}");
        }
    }
}
