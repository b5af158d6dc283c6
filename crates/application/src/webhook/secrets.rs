//! The secrets deliveries are signed with, made from the pepper. They must never be stored: who
//! reads the store can sign nothing.

use crate::credentials::Pepper;
use domain::account::AccountId;
use domain::webhook::{EndpointId, Secret, SecretVersion};
use ports::webhooks::Secrets;

/// Sets these secrets apart from everything else the pepper makes.
const PURPOSE: &[u8] = b"webhook secret";

/// Secrets out of the pepper of an installation.
#[derive(Debug, Clone)]
pub struct DerivedSecrets {
    pepper: Pepper,
}

impl DerivedSecrets {
    /// The secrets of an installation.
    pub const fn new(pepper: Pepper) -> Self {
        Self { pepper }
    }
}

impl Secrets for DerivedSecrets {
    fn secret(
        &self,
        account: &AccountId,
        endpoint: EndpointId,
        generation: SecretVersion,
    ) -> Option<Secret> {
        let message = [
            PURPOSE,
            account.as_str().as_bytes(),
            // No account has a zero in its name, so no two messages are the same.
            &endpoint.get().to_be_bytes(),
        ]
        .join(&0);
        let message = [&*message, &generation.number().to_be_bytes()].concat();
        let pepper = self.pepper.at(generation.pepper())?;
        Some(Secret(pepper.authenticate(&message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn secret(pepper: u8, account: &str, endpoint: u64, generation: u32) -> [u8; 32] {
        let secrets = DerivedSecrets::new(Pepper::new([pepper; 32]));
        let account = AccountId::parse(account).unwrap();
        let endpoint = EndpointId::new(endpoint).unwrap();
        let generation = SecretVersion::of(generation, 1);
        secrets.secret(&account, endpoint, generation).unwrap().0
    }

    #[test]
    fn a_secret_stays_what_it_was_when_it_was_given_out() {
        // As another program makes it: HMAC-SHA-256 under 32 bytes of 7, over `webhook secret`, 0,
        // `shop`, 0, eight bytes of 42 and four bytes of 1.
        let secret = secret(7, "shop", 42, 1);
        let half = |bytes: &[u8]| u128::from_be_bytes(bytes.try_into().unwrap());
        assert_eq!(
            half(&secret[..16]),
            0x3ed0_d7a1_ca1d_cb4c_bfaf_2d20_46ea_64c0
        );
        assert_eq!(
            half(&secret[16..]),
            0xae12_6f02_6717_1702_e769_4fa5_96c9_43fa
        );
    }

    #[test]
    fn whatever_a_secret_is_made_of_makes_another() {
        let secrets = [
            secret(7, "shop", 42, 1),
            secret(8, "shop", 42, 1),
            secret(7, "shop2", 42, 1),
            secret(7, "shop", 43, 1),
            secret(7, "shop", 42, 2),
        ];
        assert_eq!(secrets.iter().collect::<HashSet<_>>().len(), secrets.len());
    }
}
