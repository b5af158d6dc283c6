//! Settings that go together. They must be read whole or not at all.

use application::collections::CollectionTerms;
use domain::collection::VirtualAccountRange;
use domain::top_up::ReceivingAccount;

use super::super::effective::{ServerConfig, TopUpConfig};
use super::super::keys;
use super::super::log::Log;
use super::super::traces::Traces;
use super::SettingReader;

impl SettingReader<'_> {
    pub(super) fn server(&mut self) -> Option<ServerConfig> {
        let listen = self.get(&keys::LISTEN);
        let names = self.get(&keys::TLS_NAMES);
        let certificate = match (self.get(&keys::TLS_CERT)?, self.get(&keys::TLS_KEY)?) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                self.problem(
                    "`server.tls_cert` and `server.tls_key` go together: set both or none",
                );
                None
            }
        };
        Some(ServerConfig {
            listen: listen?,
            certificate,
            names: names?,
        })
    }

    pub(super) fn log(&mut self) -> Option<Log> {
        let level = self.get(&keys::LOG_LEVEL);
        let format = self.get(&keys::LOG_FORMAT);
        Some(Log {
            level: level?,
            format: format?,
        })
    }

    pub(super) fn traces(&mut self) -> Option<Traces> {
        let collector = self.get(&keys::TRACES);
        let per_mille = self.get(&keys::TRACES_PER_MILLE);
        Some(Traces {
            collector: collector?,
            per_mille: per_mille?,
        })
    }

    pub(super) fn collection(&mut self, server: Option<&ServerConfig>) -> Option<CollectionTerms> {
        let charges = self.collection_charges();
        let pages = self.get(&keys::CHECKOUT_URL);
        let bank = self.get(&keys::COLLECTION_BANK);
        let code = self.get(&keys::COLLECTION_CODE);
        let prefix = self.get(&keys::COLLECTION_PREFIX);
        let range = match (bank?, code?, prefix?) {
            (Some(bank), Some(code), Some(prefix)) => {
                match VirtualAccountRange::try_new(bank, code, &prefix) {
                    Ok(range) => Some(range),
                    Err(error) => {
                        let problem = format!("`collection.account_prefix` {error}");
                        self.problem(&problem);
                        return None;
                    }
                }
            }
            (None, None, None) => None,
            (Some(_) | None, Some(_) | None, Some(_) | None) => {
                self.problem(
                    "`collection.bank_name`, `collection.bank_code` and \
                     `collection.account_prefix` go together: set all or none",
                );
                return None;
            }
        };
        let charges = charges?;
        Some(CollectionTerms {
            range,
            charges,
            has_public_pages: pages.as_ref().is_some_and(Option::is_some),
            pages: pages?.unwrap_or(format!("https://{}", server?.listen)),
        })
    }

    pub(super) fn top_up(&mut self) -> Option<TopUpConfig> {
        let bank = self.get(&keys::TOP_UP_BANK);
        let number = self.get(&keys::TOP_UP_ACCOUNT);
        let name = self.get(&keys::TOP_UP_NAME);
        match (bank?, number?, name?) {
            (Some(bank), Some(number), Some(name)) => {
                let receiving = Some(ReceivingAccount { bank, number, name });
                Some(TopUpConfig { receiving })
            }
            (None, None, None) => Some(TopUpConfig { receiving: None }),
            (Some(_) | None, Some(_) | None, Some(_) | None) => {
                self.problem(
                    "`topup.bank_name`, `topup.account_number` and `topup.account_name` go \
                     together: set all or none",
                );
                None
            }
        }
    }
}
