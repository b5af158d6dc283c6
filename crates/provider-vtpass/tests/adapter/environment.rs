//! The live interface of VTpass serves no test account, nor its sandbox a live one.

use domain::environment::Environment;
use ports::adapter::{AccountOpening, AccountSettings, Adapter as _};
use provider_vtpass::VtpassAdapter;
use testkit::builders::provider_id;
use testkit::clock::ManualClock;

fn opened(environment: Environment, url: Option<&str>) -> Result<(), String> {
    let settings = AccountSettings::checked(VtpassAdapter.declaration().settings, |it| {
        let text = match it.name {
            "url" => url?,
            "api_key" => "0a1b",
            "secret_key" => "SK_2c3d",
            "phone" => "2348012345678",
            _ => return None,
        };
        Some(text.to_owned())
    });
    let opening = AccountOpening {
        id: provider_id("vtpass"),
        environment,
        settings: &settings.unwrap(),
        clock: ManualClock::start(),
    };
    let opened = VtpassAdapter.open(opening);
    opened.map(drop).map_err(|error| error.to_string())
}

#[test]
fn an_address_of_the_other_environment_is_refused() {
    let sandbox = Some("https://sandbox.vtpass.com/api/");
    // Without an address it is the live one.
    for (environment, right, wrong) in [
        (Environment::Test, sandbox, None),
        (Environment::Live, None, sandbox),
    ] {
        assert_eq!(opened(environment, right), Ok(()));
        let refused = opened(environment, wrong).unwrap_err();
        assert!(refused.contains("`url` is an address of"), "{refused}");
    }
}
