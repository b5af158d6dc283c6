//! The settings of an account as an operator writes them.

use domain::environment::Environment;
use ports::adapter::{AccountOpening, AccountSettings, Adapter as _, RefusedSetting};
use provider_smpp::SmppAdapter;
use testkit::builders::provider_id;
use testkit::clock::ManualClock;

fn checked(configured: &[(&str, &str)]) -> Result<AccountSettings, Vec<RefusedSetting>> {
    AccountSettings::checked(SmppAdapter.declaration().settings, |setting| {
        let found = configured.iter().find(|(name, _)| *name == setting.name);
        found.map(|(_, text)| (*text).to_owned())
    })
}

fn opened(configured: &[(&str, &str)]) -> Result<(), String> {
    let settings = checked(configured).unwrap();
    let opening = AccountOpening {
        id: provider_id("smsc"),
        environment: Environment::Test,
        settings: &settings,
        clock: ManualClock::start(),
    };
    let opened = SmppAdapter.open(opening);
    opened.map(drop).map_err(|error| error.to_string())
}

#[test]
fn an_account_takes_an_address_an_identity_and_a_password() {
    let right = [
        ("url", "smpp://127.0.0.1:2775"),
        ("system_id", "gateway"),
        ("password", "s3cret"),
    ];
    assert_eq!(opened(&right), Ok(()));
    let refused = checked(&[("url", "http://127.0.0.1:1")]).unwrap_err();
    let said: Vec<_> = refused.iter().map(|it| it.name).collect();
    assert_eq!(said, ["url", "system_id", "password"]);
}

#[test]
fn a_network_in_between_is_allowed_or_encrypted() {
    let plain = ("url", "smpp://10.0.0.7:2775");
    let who = [("system_id", "gateway"), ("password", "s3cret")];
    let refused = opened(&[plain, who[0], who[1]]).unwrap_err();
    assert!(refused.contains("smpps://"), "{refused}");
    assert_eq!(
        opened(&[plain, who[0], who[1], ("plain", "allowed")]),
        Ok(())
    );
    assert_eq!(
        opened(&[("url", "smpps://10.0.0.7:3550"), who[0], who[1]]),
        Ok(())
    );
}

#[test]
fn what_is_out_of_range_is_refused_with_its_range() {
    for (name, wrong, remedy) in [
        ("binds", "0", "1 to 32"),
        ("window", "1001", "1 to 1000"),
        ("throughput", "many", "1 to 10000"),
        ("validity_minutes", "10081", "1 to 10080"),
        ("bind", "both", "transceiver"),
        ("long_messages", "sar", "payload"),
        ("reference_bits", "7", "8 or 16"),
        ("message_ids", "octal", "hex-decimal"),
        ("refusals", "0x58=order", "0x400"),
        ("plain", "yes", "allowed"),
        ("password", "nine-octe", "8 ASCII"),
    ] {
        let refused = checked(&[(name, wrong)]).unwrap_err();
        let said = refused.iter().find(|it| it.name == name).unwrap();
        assert!(said.wrong.contains(remedy), "{name} {}", said.wrong);
    }
}
