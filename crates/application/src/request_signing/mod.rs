//! Signatures of merchants' requests. The secret that signs is made from the pepper and stored
//! nowhere, and must not follow from what a request carries: the key is within each of them.

mod nonces;

pub(crate) use nonces::SignedNonces;

use crate::gateway::{Gateway, Merchant};
use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::access::{AccessKey, RequestSigning};
use domain::account::AccountId;
use domain::credential::KeyId;
use message_signatures::{
    MerchantRequest, MerchantSignatureError, NonceRefused, SignatureKeys, verify_merchant_request,
};
use std::fmt;

/// The purpose of the key that secrets are made with.
const PURPOSE: &str = "manilla request signing v1";

/// What the requests that come with a key are signed with. A key that takes the place of another
/// has another one.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret([u8; 32]);

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

impl SigningSecret {
    /// The secret of a key of an account.
    fn of(pepper: &Pepper, account: &AccountId, key: KeyId) -> Self {
        let parts = [account.as_str().as_bytes(), &key.0.to_be_bytes()];
        let message = PrefixedParts::default().with_each(parts);
        Self(pepper.for_purpose(PURPOSE).authenticate(message.as_bytes()))
    }

    /// The secret in base 64, for the merchant who has just made the key.
    pub fn shown(&self) -> String {
        STANDARD.encode(self.0)
    }
}

/// What arrived of the signature of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedSignature<'a> {
    /// Neither `Signature-Input` nor `Signature`.
    None,
    /// One of both is missing, or there more than once, or is no text; or `Content-Digest` or
    /// `Idempotency-Key` is there more than once or is no text.
    Unreadable,
    /// One of each.
    Whole {
        /// `Signature-Input`.
        input: &'a str,
        /// `Signature`.
        signature: &'a str,
    },
}

/// Why a request is refused for its signature, or because it has none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureRefused {
    /// Its key needs one.
    #[error("the key {0} opens the account to signed requests alone")]
    Missing(KeyId),
    /// Its key has no signing secret.
    #[error("the key {0} has no signing secret")]
    NoSecret(KeyId),
    /// Its header fields cannot be read.
    #[error("the header fields of the signature cannot be read")]
    Unreadable,
    /// It is wrong.
    #[error(transparent)]
    Wrong(#[from] MerchantSignatureError),
    /// Its nonce was used before.
    #[error("the nonce was used before")]
    NonceUsed,
    /// As many requests were signed for the account within the clock window as are remembered.
    #[error("the account has signed too many requests within the clock window")]
    AccountFull,
    /// As many requests were signed for all accounts together.
    #[error("too many requests were signed within the clock window")]
    Full,
}

impl Gateway {
    /// What the requests that come with a key are signed with; none where they are not.
    pub(crate) fn signing_secret(&self, key: &AccessKey) -> Option<SigningSecret> {
        match key.terms.signing {
            RequestSigning::Unsigned => None,
            RequestSigning::Required => {
                let pepper = &self.parts().pepper;
                Some(SigningSecret::of(pepper, &key.account, key.id))
            }
        }
    }

    /// Holds the head of a request against what its key says of signatures. Its body must be
    /// compared with `Content-Digest` when it is there.
    ///
    /// # Errors
    /// Refuses a request without the signature that its key needs, and any signature that is wrong
    /// or was used before.
    pub fn check_signature(
        &self,
        merchant: &Merchant,
        request: MerchantRequest<'_>,
        received: ReceivedSignature<'_>,
    ) -> Result<(), SignatureRefused> {
        let key = merchant.grant.key;
        let (input, signature) = match (merchant.grant.terms.signing, received) {
            (RequestSigning::Unsigned, ReceivedSignature::None) => return Ok(()),
            (
                RequestSigning::Unsigned,
                ReceivedSignature::Unreadable | ReceivedSignature::Whole { .. },
            ) => return Err(SignatureRefused::NoSecret(key)),
            (RequestSigning::Required, ReceivedSignature::None) => {
                return Err(SignatureRefused::Missing(key));
            }
            (RequestSigning::Required, ReceivedSignature::Unreadable) => {
                return Err(SignatureRefused::Unreadable);
            }
            (RequestSigning::Required, ReceivedSignature::Whole { input, signature }) => {
                (input, signature)
            }
        };
        let account = &merchant.account.id;
        // The secret was made with the generation that the key was hashed under.
        let generation = merchant.grant.made_under;
        let generation = generation.and_then(|it| self.parts().pepper.at(it));
        let generation = generation.ok_or(SignatureRefused::NoSecret(key))?;
        let secret = SigningSecret::of(&generation, account, key);
        let keys = SignatureKeys::single(key.to_string(), secret.0);
        let now = self.now().as_millis().div_euclid(1_000);
        let verified = verify_merchant_request(&keys, request, ((input, signature), now))?;
        self.signed_nonces()
            .admit((account, key), &verified, now)
            .map_err(|refused| match refused {
                nonces::Refused::OfAccount(NonceRefused::Used) => SignatureRefused::NonceUsed,
                nonces::Refused::OfAccount(NonceRefused::Full) => SignatureRefused::AccountFull,
                nonces::Refused::Full => SignatureRefused::Full,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn secret(pepper: u8, account: &str, key: i64) -> [u8; 32] {
        let account = AccountId::parse(account).unwrap();
        SigningSecret::of(&Pepper::new([pepper; 32]), &account, KeyId(key)).0
    }

    /// Known from Python's hmac, apart from this code: what was given out must go on signing.
    #[test]
    fn a_secret_stays_what_it_was_when_it_was_given_out() {
        let shown = SigningSecret(secret(7, "shop", 42)).shown();
        assert_eq!(shown, "HYknKfSV5UhiUEX79IFrsphOJQUcP2ZXWDbSxyEAXYU=");
    }

    #[test]
    fn everything_that_a_secret_is_made_of_makes_another() {
        let secrets = [
            secret(7, "shop", 42),
            secret(8, "shop", 42),
            secret(7, "shop2", 42),
            secret(7, "shop", 43),
        ];
        assert_eq!(secrets.iter().collect::<HashSet<_>>().len(), secrets.len());
    }

    #[test]
    fn no_secret_is_in_a_message() {
        let secret = SigningSecret([42; 32]);
        assert_eq!(format!("{secret:?}"), "SigningSecret(…)");
    }
}
