//! Accounts at providers and routes to them: what is read, what is refused with every reason at
//! once, and what is never shown.

use std::path::Path;

use ports::adapter::{
    AccountOpening, Adapter, AdapterDeclaration, DeclaredSetting, OpenAccountError,
    ProviderAccount, SettingAbsence,
};

use super::*;

/// An adapter that is never opened.
#[derive(Debug)]
struct ShopAdapter;

impl Adapter for ShopAdapter {
    fn declaration(&self) -> AdapterDeclaration {
        const SETTINGS: &[DeclaredSetting] = &[
            DeclaredSetting {
                check: |text| {
                    let is_url = text.starts_with("https://");
                    is_url
                        .then_some(())
                        .ok_or_else(|| "must be an address such as https://a.example".to_owned())
                },
                ..DeclaredSetting::required("url", "Address of the interface.")
            },
            DeclaredSetting::secret("token", "Token of the account."),
            DeclaredSetting {
                absence: SettingAbsence::Default("5"),
                ..DeclaredSetting::required("calls_max", "Most calls at a time.")
            },
        ];
        AdapterDeclaration {
            name: "shop",
            about: "A shop.",
            settings: SETTINGS,
        }
    }

    fn open(&self, _: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
        Err(OpenAccountError::new("a test"))
    }
}

fn loaded<const N: usize>(text: &str, variables: [(&str, &str); N]) -> Result<Config, Invalid> {
    loaded_with(text, variables, &[])
}

fn loaded_with<const N: usize>(
    text: &str,
    variables: [(&str, &str); N],
    set: &[&str],
) -> Result<Config, Invalid> {
    let folder = TempDir::new().unwrap();
    file(&folder, text);
    let flags = Flags {
        set: set.iter().map(|it| (*it).to_owned()).collect(),
        ..flags(&folder)
    };
    let registry = Registry::standard().register(ShopAdapter);
    super::super::load(&flags, env(variables), &registry)
}

const SHOP: &str = "[provider.my-shop]\nadapter = \"shop\"\nenvironment = \"live\"\n\
    url = \"https://a\"\ntoken_file = \"secrets/token\"\n";

fn lines(config: &Config) -> Vec<String> {
    let shown = config.shown.iter();
    let shown =
        shown.filter(|it| it.name.starts_with("provider.") || it.name.starts_with("route."));
    shown.map(SettingView::line).collect()
}

#[test]
fn a_token_of_a_card_is_of_one_provider() {
    let routes = |second: &str| {
        format!(
            "[provider.one]\nadapter = \"sandbox\"\n[provider.two]\nadapter = \"sandbox\"\n\
             [[route]]\nproduct = \"card\"\nprovider = \"one\"\n\
             [[route]]\nproduct = \"card\"\nprovider = \"{second}\"\npriority = 1\n"
        )
    };
    assert!(loaded(&routes("one"), []).is_ok());
    let [problem] = &problems(loaded(&routes("two"), []))[..] else {
        panic!("not one problem");
    };
    assert!(problem.contains("lead to one and to two"), "{problem}");
}

#[test]
fn without_any_configuration_there_is_the_sandbox_alone() {
    let config = loaded("", []).unwrap();
    let names: Vec<&str> = config.accounts.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(names, ["sandbox"]);
    assert_eq!(config.routes, []);
    assert_eq!(config.warnings, Vec::<String>::new());
}

/// What files hold: their own path, a sealed secret, or nothing.
enum TestSecrets {
    Path,
    Sealed,
    Missing,
}

impl SecretSource for TestSecrets {
    fn in_file(&self, path: &Path) -> Result<String, String> {
        match self {
            Self::Path => Ok(path.display().to_string()),
            Self::Sealed => Ok("sealed.v1.1.AAAA".to_owned()),
            Self::Missing => Err("it is not there".to_owned()),
        }
    }

    fn sealed(&self, setting: &str, _: &str) -> Result<String, String> {
        Ok(format!("{setting} opened"))
    }
}

#[test]
fn an_account_has_the_settings_that_its_adapter_declares() {
    let config = loaded(SHOP, []).unwrap();
    let account = &config.accounts[1];
    assert_eq!(account.id.as_str(), "my-shop");
    let settings = account.settings(&TestSecrets::Path).unwrap();
    assert_eq!(settings.get("url"), Some("https://a"));
    assert_eq!(settings.get("calls_max"), Some("5"));
    // A file in a configuration counts from the folder of that configuration.
    let token = settings.secret("token").unwrap().reveal();
    assert!(
        token.starts_with('/') && token.ends_with("/secrets/token"),
        "{token}"
    );
    assert!(
        config.warnings[0].contains("nothing is sent to my-shop"),
        "{:?}",
        config.warnings
    );
}

#[test]
fn what_is_wrong_with_the_file_of_a_secret_is_said_once_and_by_its_setting() {
    let config = loaded(SHOP, []).unwrap();
    let wrong = config.accounts[1].settings(&TestSecrets::Missing);
    let wrong: Vec<String> = wrong.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(wrong, ["`provider.my-shop.token_file`: it is not there"]);
}

/// A sealed secret may come from a file, or stand in its place.
#[test]
fn a_sealed_secret_is_opened_as_its_setting_and_only_where_secrets_are_read() {
    let in_place = SHOP.replace(
        "token_file = \"secrets/token\"",
        "token = \"sealed.v1.1.AAAA\"",
    );
    assert_ne!(in_place, SHOP);
    for (text, source) in [
        (in_place.as_str(), TestSecrets::Path),
        (SHOP, TestSecrets::Sealed),
    ] {
        let config = loaded(text, []).unwrap();
        let settings = config.accounts[1].settings(&source).unwrap();
        let token = settings.secret("token").unwrap().reveal();
        assert_eq!(token, "provider.my-shop.token opened");
    }
}

#[test]
fn settings_of_an_account_come_from_variables_and_flags_too() {
    let variables = [
        ("MANILLA_PROVIDER_MY_SHOP_URL", "https://b"),
        ("MANILLA_PROVIDER_OTHER_ADAPTER", "shop"),
        ("MANILLA_PROVIDER_OTHER_ENVIRONMENT", "test"),
        ("MANILLA_PROVIDER_OTHER_URL", "https://c"),
        ("MANILLA_PROVIDER_OTHER_TOKEN", "c0ffee"),
        ("MANILLA_PROVIDER_PORT_80_TCP", "tcp"),
    ];
    let config = loaded_with(SHOP, variables, &["provider.my-shop.calls_max=9"]).unwrap();
    let shown = lines(&config);
    for line in [
        "provider.my-shop.url = \"https://b\"",
        "provider.my-shop.calls_max = \"9\"",
        "provider.other.url = \"https://c\"",
        "provider.other.token = \"(redacted)\"",
        "provider.other.calls_max = \"5\"",
    ] {
        assert!(
            shown.contains(&line.to_owned()),
            "{line} is not in {shown:?}"
        );
    }
    assert!(!format!("{config:?}").contains("c0ffee"));
    assert!(config.warnings[0].starts_with("MANILLA_PROVIDER_PORT_80_TCP is not a setting"));
}

#[test]
fn everything_that_is_wrong_with_accounts_is_said_at_once() {
    let text = "[provider.A]\nadapter = \"shop\"\n\
        [provider.none]\nurl = \"https://a\"\n\
        [provider.other]\nadapter = \"shopp\"\n\
        [provider.sandbox]\nadapter = \"shop\"\n\
        [provider.shop]\nadapter = \"shop\"\nenvironment = \"live\"\n\
        url = \"c0ffee\"\nulr = \"https://a\"\ntokens = 1\n\
        [provider.twice]\nadapter = \"shop\"\nenvironment = \"test\"\n\
        url = \"https://a\"\ntoken = \"c0ffee\"\n\
        token_file = \"t\"\n";
    let found = problems(loaded(text, [])).join("\n");
    for problem in [
        "[provider.A]: its name must be 1 to 32 characters out of a-z 0-9 -",
        "[provider.none]: `adapter` is missing; there is sandbox, http, dtone, paystack, \
         reloadly, smpp, vtpass, shop",
        "[provider.other]: there is no adapter \"shopp\"; did you mean \"shop\"?",
        "[provider.sandbox]: this name is that of the sandbox",
        "`provider.shop.ulr` is no setting of the adapter shop; did you mean `provider.shop.url`?",
        "`provider.shop.tokens` is no setting of the adapter shop; did you mean \
         `provider.shop.token`?",
        "`provider.shop.url` must be an address such as https://a.example",
        "`provider.shop.token` is missing",
        "`provider.twice.token` and `provider.twice.token_file` say the same: keep one",
    ] {
        assert!(found.contains(problem), "{problem} is not in\n{found}");
    }
    assert!(!found.contains("c0ffee"), "{found}");
}

#[test]
fn an_account_is_not_live_and_test_at_once() {
    let other = SHOP
        .replace("my-shop", "shop-test")
        .replace("\"live\"", "\"test\"");
    let found = problems(loaded(&format!("{SHOP}{other}"), [])).join("\n");
    let same = "[provider.my-shop] is live and [provider.shop-test] is test, and their settings \
                are the same";
    assert!(found.contains(same), "{found}");
    let elsewhere = other.replace("https://a", "https://b");
    loaded(&format!("{SHOP}{elsewhere}"), []).unwrap();
}

#[test]
fn a_route_has_every_condition_that_is_written() {
    let text = format!(
        "{SHOP}[[route]]\nproduct = \"airtime\"\nbiller = \"mtn\"\nbilling = \"prepaid\"\n\
         country = 566\namount_min = \"50.00\"\namount_max = 5000\nprovider = \"my-shop\"\n\
         priority = 2\nweight = 3\ncost = 2.5\n\
         [[route]]\nproduct = \"water\"\nprovider = \"sandbox\"\n"
    );
    let config = loaded(&text, []).unwrap();
    let [first, second] = &*config.routes else {
        panic!("{:?}", config.routes);
    };
    assert_eq!(first.provider.as_str(), "my-shop");
    assert_eq!((first.priority, first.weight), (2, 3));
    assert_eq!(first.cost.unwrap().to_string(), "2.50");
    let conditions = &first.conditions;
    assert_eq!(conditions.biller.as_deref(), Some("mtn"));
    assert_eq!(conditions.country.unwrap().get(), 566);
    let amounts = [conditions.amount_min, conditions.amount_max];
    assert_eq!(amounts.map(|it| it.unwrap().minor()), [5_000, 500_000]);
    assert_eq!((second.priority, second.weight), (0, 1));
    assert_eq!(config.warnings, Vec::<String>::new());
    assert_eq!(
        lines(&config)[0],
        "route.1 = \"product airtime, biller mtn, billing prepaid, country 566, amount_min 50.00, \
         amount_max 5000, provider my-shop, priority 2, weight 3, cost 2.5\""
    );
}

#[test]
fn everything_that_is_wrong_with_routes_is_said_at_once() {
    let text = "[[route]]\nproduct = \"airtme\"\nprovider = \"sandbx\"\n\
        [[route]]\nproduct = \"airtime\"\nbiller = \"vodafone\"\nprovider = \"sandbox\"\n\
        [[route]]\nproduct = \"hlr\"\nbiller = \"mtn\"\nbilling = \"prepaid\"\n\
        [[route]]\nproduct = \"bank\"\nbiller = \"1\"\nprovider = \"sandbox\"\ncountry = \"NG\"\n\
        [[route]]\nproduct = \"gas\"\nprovider = \"sandbox\"\namount_min = \"2\"\n\
        amount_max = \"1\"\nweight = 0\npriority = -1\ncost = \"half\"\nbillling = \"prepaid\"\n";
    let found = problems(loaded(text, [])).join("\n");
    for problem in [
        "route 1: `product` must be one of airtime, cabletv,",
        "route 1: `provider` \"sandbx\" is not the name of a [provider.NAME]; did you mean \
         \"sandbox\"?",
        "route 2: `biller` \"vodafone\" is not sold in airtime, which has mtn",
        "route 3: `biller` is not a condition of hlr; leave it out",
        "route 3: `billing` is not a condition of hlr; leave it out",
        "route 3: `provider` is missing",
        "route 4: `biller` \"1\" is not the identifier of a bank",
        "route 4: `country` must be",
        "route 5: `billling` is not known; did you mean `billing`?",
        "route 5: `amount_min` must not be above `amount_max`",
        "route 5: `weight` must be a whole number from 1 to 1000",
        "route 5: `priority` must be a whole number from 0 to 65535",
        "route 5: `cost` ",
    ] {
        assert!(found.contains(problem), "{problem} is not in\n{found}");
    }
}

#[test]
fn a_misspelt_section_is_named_with_the_one_that_was_meant() {
    let found = problems(loaded("[provder.a]\nadapter = \"shop\"\n", []));
    assert_eq!(
        found,
        ["[provder] is not a section; did you mean [provider]?"]
    );
}

#[test]
fn the_template_of_accounts_and_routes_is_one_that_can_be_used() {
    let registry = Registry::standard().register(ShopAdapter);
    let template = template(&registry);
    let (_, ours) = template.split_once("# An account at a provider").unwrap();
    let is_setting = |line: &&str| line.starts_with("# [") || line.contains(" = ");
    let uncommented = ours.lines().filter(is_setting);
    let uncommented: Vec<&str> = uncommented.map(|line| &line[2..]).collect();
    let text = uncommented.join("\n");
    let filled = [
        (
            "adapter = \"smpp\"\nenvironment = \"live\"\nurl = \"\"",
            "adapter = \"smpp\"\nenvironment = \"live\"\nurl = \"smpps://a:3550\"",
        ),
        ("url = \"\"", "url = \"https://a\""),
        ("system_id = \"\"", "system_id = \"a\""),
        ("audience = \"\"", "audience = \"https://a\""),
        ("seed = \"\"", "seed = \"1\""),
        ("float = \"\"", "float = \"1.00\""),
        ("phone = \"\"", "phone = \"2348012345678\""),
    ];
    let fill = |text: String, (empty, value): &(&str, &str)| text.replace(empty, value);
    let text = filled.iter().fold(text, fill);
    let config = loaded(&text, []).unwrap();
    assert_eq!(config.accounts.len(), 9, "{text}");
    assert_eq!(config.routes.len(), 1, "{text}");
}

#[test]
fn one_account_of_an_environment_is_asked_who_serves_a_number() {
    let sandbox =
        |name: &str| format!("[provider.{name}]\nadapter = \"sandbox\"\nnumber_lookup = \"on\"\n");
    let live = format!("{SHOP}number_lookup = \"on\"\n");
    let config = loaded(&[live, sandbox("one")].concat(), []).unwrap();
    let asked = |it: &&AccountConfig| it.kept.number_lookup == NumberLookupUse::On;
    let asked: Vec<&str> = config
        .accounts
        .iter()
        .filter(asked)
        .map(|it| it.id.as_str())
        .collect();
    assert_eq!(asked, ["my-shop", "one"]);
    // What is asked is sent something, routes or not.
    assert_eq!(config.warnings, Vec::<String>::new());
    let found = problems(loaded(&[sandbox("one"), sandbox("two")].concat(), []));
    assert_eq!(
        found,
        [
            "`provider.one.number_lookup` and `provider.two.number_lookup` are both on, and one \
             account of the test environment is asked: switch one off"
        ]
    );
}

#[test]
fn maintenance_windows_are_those_of_the_file() {
    let window = "[[maintenance]]\nprovider = \"sandbox\"\nweekly = \"Sun 01:00-03:00 +01:00\"\n";
    for count in 0..3 {
        let config = loaded(&window.repeat(count), []).unwrap();
        assert_eq!(config.maintenance.len(), count);
    }
}
