//! The part of a configuration file that explains accounts. It must show what each adapter
//! declares, and no value of an account.

use std::fmt::Write as _;

use domain::environment::Environment;
use ports::adapter::{Secrecy, SettingAbsence};

use super::environment::{self, ENVIRONMENT};
use super::{FILE, VARIABLES, guarding};
use crate::config::view::comment;
use crate::registry::{KnownAdapter, Registry};

/// The part of a file that explains accounts.
pub(in crate::config) fn template(registry: &Registry) -> String {
    let mut text = format!(
        "\n# An account at a provider, under a name of your own. Each setting is also read from\n\
         # a variable: `url` of [provider.my-shop] from {VARIABLES}MY_SHOP_URL. A secret may be\n\
         # kept in a file of its own: `token_file` names that of `token`. Adapters: {}.\n",
        registry.names().join(", ")
    );
    for known in registry.all() {
        let declaration = known.declaration();
        let environment = match known {
            KnownAdapter::Sandbox => Environment::Test,
            KnownAdapter::Registered(_) => Environment::Live,
        };
        let adapter = declaration.name;
        let _ = write!(
            text,
            "\n{}\n# [provider.my-{adapter}]\n# adapter = \"{adapter}\"\n{}\n\
             # {ENVIRONMENT} = \"{}\"\n",
            comment(declaration.about),
            comment(environment::HELP),
            environment.code()
        );
        for setting in declaration.settings {
            let file = match setting.secrecy {
                Secrecy::Secret => FILE,
                Secrecy::Shown => "",
            };
            let (presence, value) = match setting.absence {
                SettingAbsence::Required => ("Required.", ""),
                SettingAbsence::Optional => ("Optional.", ""),
                SettingAbsence::Default(value) => ("", value),
            };
            let help = comment(format!("{} {presence}", setting.help).trim_end());
            let _ = write!(text, "{help}\n# {}{file} = \"{value}\"\n", setting.name);
        }
    }
    text.push_str(
        "\n# Every account also takes these, which the gateway keeps to whatever the adapter;\n\
         # without them there is no limit but what the provider itself promises.\n",
    );
    for (name, example, help) in guarding::SETTINGS {
        let _ = write!(text, "{}\n# {name} = {example}\n", comment(help));
    }
    text
}
