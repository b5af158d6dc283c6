//! What an account at the sandbox may be configured with. It must not open one: that takes a
//! configuration.

use ports::adapter::{AdapterDeclaration, DeclaredSetting, SettingAbsence};
use provider_sim::ForcedOutcomes;

pub(crate) const FORCED_OUTCOMES: &str = "forced_outcomes";
pub(crate) const SEED: &str = "seed";

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

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let seed = text.parse();
    seed.map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}
