//! Keys of operators for requests over HTTP. The log of operators is the only record: an operator
//! signs the public key that follows from the key. A key must never be stored, nor open an account.

use super::{NotSigned, Operators};
use crate::credentials::{mint_with, well_formed_with};
use domain::operator::{Act, OperatorName, OperatorOrder, PublicKey};
use operator_keys::SigningKey;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

/// What the keys of operators begin with; no key of an account does.
const PREFIX: &str = "mk_oper_";

/// What keeps the seed that follows from a key from being that of something else.
const PURPOSE: &[u8] = b"manilla operator http key v1\n";

/// Makes a key out of 32 random bytes, in the form of other keys.
pub fn mint_http_key(random: [u8; 32]) -> String {
    mint_with(PREFIX, random)
}

/// Whether a text has the form of a key of an operator.
pub fn is_http_key(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// What an operator signs to have a key; `None` where the text is none.
pub fn http_key_order(name: &OperatorName, key: &str) -> Option<OperatorOrder> {
    let public = PublicKey(signing_key(key)?.public());
    let order = OperatorOrder::new(Act::OperatorHttpKey);
    Some(order.under(name).with(public))
}

/// What an operator signs to end the key of an operator.
pub fn http_key_end(name: &OperatorName) -> OperatorOrder {
    OperatorOrder::new(Act::OperatorHttpKeyRevoke).under(name)
}

/// The key to sign with that follows from a text.
pub(super) fn signing_key(text: &str) -> Option<SigningKey> {
    if !well_formed_with(PREFIX, text) {
        return None;
    }
    let mut seed = Sha256::new();
    seed.update(PURPOSE);
    seed.update(text.as_bytes());
    SigningKey::from_seed(seed.finalize().into())
}

impl Operators {
    /// The operator whom a name and a key open operations to; `None` where they open none.
    ///
    /// # Errors
    /// When the log was tampered with, or the store failed.
    pub async fn authenticate(
        &self,
        name: &str,
        key: &str,
    ) -> Result<Option<OperatorName>, NotSigned> {
        let (Ok(name), Some(key)) = (OperatorName::parse(name), signing_key(key)) else {
            return Ok(None);
        };
        let roster = self.roster().await?;
        let known = roster.operator(&name).and_then(|it| it.http_key.clone());
        let is_it = known.is_some_and(|known| bool::from(known.key.0.ct_eq(&key.public())));
        Ok(is_it.then_some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_well_formed_and_each_is_another() {
        let one = mint_http_key([7; 32]);
        assert!(is_http_key(&one) && signing_key(&one).is_some(), "{one}");
        let other = mint_http_key([8; 32]);
        let public = |key| signing_key(key).unwrap().public();
        assert_ne!(public(&one), public(&other));
        assert!(signing_key(&one[..one.len() - 1]).is_none());
        let of_account =
            crate::credentials::mint_key(domain::environment::Environment::Test, [7; 32]);
        assert!(!is_http_key(&of_account) && signing_key(&of_account).is_none());
        assert!(!crate::credentials::well_formed(&one));
    }
}
