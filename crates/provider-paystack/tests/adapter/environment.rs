//! Test keys open no live account, nor live keys a test one.

use domain::environment::Environment;
use ports::adapter::{AccountOpening, AccountSettings, Adapter as _};
use provider_paystack::PaystackAdapter;
use testkit::builders::provider_id;
use testkit::clock::ManualClock;

fn opened(environment: Environment, key: &str) -> Result<(), String> {
    let settings = AccountSettings::checked(PaystackAdapter.declaration().settings, |it| {
        (it.name == "secret_key").then(|| key.to_owned())
    });
    let opening = AccountOpening {
        id: provider_id("bank"),
        environment,
        settings: &settings.unwrap(),
        clock: ManualClock::start(),
    };
    let opened = PaystackAdapter.open(opening);
    opened.map(drop).map_err(|error| error.to_string())
}

#[test]
fn a_key_of_the_other_environment_is_refused_and_not_shown() {
    for (environment, right, wrong) in [
        (Environment::Test, "sk_test_0a1b2c", "sk_live_0a1b2c"),
        (Environment::Live, "sk_live_0a1b2c", "sk_test_0a1b2c"),
    ] {
        assert_eq!(opened(environment, right), Ok(()));
        let refused = opened(environment, wrong).unwrap_err();
        assert!(
            refused.contains("`secret_key` must begin with"),
            "{refused}"
        );
        assert!(!refused.contains("0a1b2c"), "{refused}");
    }
}
