//! What an account at the sandbox may be configured with. It must not open one: that takes a
//! configuration.

use domain::money::{Currency, Money};
use domain::percent::Percent;
use ports::adapter::{AccountSettings, AdapterDeclaration, DeclaredSetting, SettingAbsence};
use provider_sim::{ForcedOutcomes, SandboxFloat};

pub(crate) const FORCED_OUTCOMES: &str = "forced_outcomes";
pub(crate) const SEED: &str = "seed";
const FLOAT: &str = "float";
const TAKES: &str = "takes";

/// What an account at the sandbox may be configured with; the section `sandbox` holds for all.
const SETTINGS: &[DeclaredSetting] = &[
    DeclaredSetting {
        absence: SettingAbsence::Default("on"),
        check: |text| forced_outcomes(text).map(drop),
        ..DeclaredSetting::required(
            FORCED_OUTCOMES,
            "Whether the last four digits of a number force an outcome, on or off; lookups always \
             go by them.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| seed(text).map(drop),
        ..DeclaredSetting::required(SEED, "Random seed in place of `sandbox.seed`.")
    },
    DeclaredSetting {
        absence: SettingAbsence::Optional,
        check: |text| paid_in(text).map(drop),
        ..DeclaredSetting::required(
            FLOAT,
            "Naira that count as paid in to it; with them it keeps a balance and a statement, and \
             reports costs.",
        )
    },
    DeclaredSetting {
        absence: SettingAbsence::Default("100"),
        check: |text| takes(text).map(drop),
        ..DeclaredSetting::required(
            TAKES,
            "What it takes for a delivery, in percent of the amount.",
        )
    },
];

/// What the sandbox declares.
pub(crate) const fn sandbox_declaration() -> AdapterDeclaration {
    AdapterDeclaration {
        name: provider_sim::PROVIDER_ID,
        about: "The sandbox within this program: it moves no money.",
        settings: SETTINGS,
    }
}

pub(crate) fn forced_outcomes(text: &str) -> Result<ForcedOutcomes, String> {
    match text {
        "on" => Ok(ForcedOutcomes::On),
        "off" => Ok(ForcedOutcomes::Off),
        _ => Err("must be on or off".to_owned()),
    }
}

/// The money at an account, where any was paid in.
pub(crate) fn float(settings: &AccountSettings) -> Result<Option<SandboxFloat>, String> {
    let Some(text) = settings.get(FLOAT) else {
        return Ok(None);
    };
    Ok(Some(SandboxFloat {
        paid_in: paid_in(text)?,
        takes: takes(settings.get(TAKES).unwrap_or("100"))?,
    }))
}

fn paid_in(text: &str) -> Result<Money, String> {
    Money::parse(text, Currency::Ngn).map_err(|error| error.to_string())
}

fn takes(text: &str) -> Result<Percent, String> {
    Percent::parse(text).map_err(|error| error.to_string())
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let seed = text.parse();
    seed.map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::seed;

    #[test]
    fn a_seed_is_the_number_that_was_written() {
        assert_eq!(seed("7"), Ok(7));
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "-1", "7.5", "seven"] {
            assert!(
                seed(wrong).unwrap_err().contains("whole number"),
                "{wrong:?}"
            );
        }
    }
}
