//! Settings that go together. They must be read whole or not at all.

use domain::top_up::ReceivingAccount;

use super::super::effective::{ServerConfig, TopUpConfig};
use super::super::keys;
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
