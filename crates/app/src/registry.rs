//! Which adapters a program has. It must not open any: that takes a configuration.

use std::sync::Arc;

use domain::provider::ProviderId;
use ports::adapter::{Adapter, AdapterDeclaration};
use provider_dtone::DtoneAdapter;
use provider_http::HttpAdapter;
use provider_paystack::PaystackAdapter;
use provider_reloadly::ReloadlyAdapter;
use provider_smpp::SmppAdapter;
use provider_vtpass::VtpassAdapter;

use crate::sandbox_declaration::sandbox_declaration;

/// The adapters of a program. Clones share them.
#[derive(Debug, Clone)]
pub struct Registry {
    registered: Vec<Arc<dyn Adapter>>,
}

/// What an operator may name as the adapter of an account.
#[derive(Debug, Clone)]
pub(crate) enum KnownAdapter {
    /// The sandbox within the program. It needs what no other provider may: the data folder.
    Sandbox,
    /// One that was registered.
    Registered(Arc<dyn Adapter>),
}

impl KnownAdapter {
    pub(crate) fn declaration(&self) -> AdapterDeclaration {
        match self {
            Self::Sandbox => sandbox_declaration(),
            Self::Registered(adapter) => adapter.declaration(),
        }
    }
}

impl Registry {
    /// The adapters that come with the gateway.
    pub fn standard() -> Self {
        let none = Self {
            registered: Vec::new(),
        };
        none.register(HttpAdapter)
            .register(DtoneAdapter)
            .register(PaystackAdapter)
            .register(ReloadlyAdapter)
            .register(SmppAdapter)
            .register(VtpassAdapter)
    }

    /// The same adapters and another one.
    #[must_use]
    pub fn register(mut self, adapter: impl Adapter + 'static) -> Self {
        self.registered.push(Arc::new(adapter));
        self
    }

    /// Every adapter, the built-in one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = KnownAdapter> {
        let registered = self.registered.iter().map(Arc::clone);
        std::iter::once(KnownAdapter::Sandbox).chain(registered.map(KnownAdapter::Registered))
    }

    pub(crate) fn named(&self, name: &str) -> Option<KnownAdapter> {
        self.all().find(|it| it.declaration().name == name)
    }

    /// The names of all adapters.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.all().map(|it| it.declaration().name).collect()
    }

    /// Refuses adapters that a configuration could not name, or not tell apart.
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut names: Vec<&str> = Vec::new();
        for adapter in self.all() {
            let AdapterDeclaration { name, settings, .. } = adapter.declaration();
            if ProviderId::parse(name).is_err() {
                return Err(format!("an adapter is called `{name}`, which is no name"));
            }
            if names.contains(&name) {
                return Err(format!("two adapters are called `{name}`"));
            }
            names.push(name);
            let mut known: Vec<&str> = vec!["adapter", "environment"];
            for setting in settings {
                let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
                let is_ours = setting.name.ends_with("_file") || known.contains(&setting.name);
                if is_ours || setting.name.is_empty() || !setting.name.bytes().all(fits) {
                    return Err(format!(
                        "adapter {name} declares the setting `{}`, which is no name, is declared \
                         twice, or belongs to the gateway",
                        setting.name
                    ));
                }
                known.push(setting.name);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ports::adapter::{AccountOpening, DeclaredSetting, OpenAccountError, ProviderAccount};

    use super::*;

    #[derive(Debug)]
    struct Declares(&'static str, &'static [DeclaredSetting]);

    impl Adapter for Declares {
        fn declaration(&self) -> AdapterDeclaration {
            AdapterDeclaration {
                name: self.0,
                about: "A test.",
                settings: self.1,
            }
        }

        fn open(&self, _: AccountOpening<'_>) -> Result<ProviderAccount, OpenAccountError> {
            Err(OpenAccountError::new("a test"))
        }
    }

    fn refused(name: &'static str, settings: &'static [DeclaredSetting]) -> String {
        let registry = Registry::standard().register(Declares(name, settings));
        registry.check().unwrap_err()
    }

    #[test]
    fn adapters_that_a_configuration_cannot_name_are_refused() {
        const ADAPTER: &[DeclaredSetting] = &[DeclaredSetting::required("adapter", "A test.")];
        const ENVIRONMENT: &[DeclaredSetting] =
            &[DeclaredSetting::required("environment", "A test.")];
        const FILE: &[DeclaredSetting] = &[DeclaredSetting::required("token_file", "A test.")];
        const TWICE: &[DeclaredSetting] = &[
            DeclaredSetting::required("url", "A test."),
            DeclaredSetting::required("url", "A test."),
        ];
        assert_eq!(Registry::standard().check(), Ok(()));
        assert!(refused("sandbox", &[]).contains("two adapters"));
        assert!(refused("Vtpass", &[]).contains("no name"));
        for settings in [ADAPTER, ENVIRONMENT, FILE, TWICE] {
            assert!(refused("one", settings).contains("belongs to the gateway"));
        }
    }
}
