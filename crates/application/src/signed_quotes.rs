//! Quotes that carry their own proof: what was quoted, signed under the installation's secret for
//! one account and one purpose. Nothing is stored, every instance reads them, and no restore
//! forgets one. They must not carry what a merchant may not see: they are signed, not sealed.

use crate::pepper::Pepper;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::account::AccountId;
use domain::provider::ProviderId;
use domain::quote_identifier::QuoteIdentifier;
use subtle::ConstantTimeEq;

/// What quotes are signed for. No other message under the secret begins like one that this is in.
const SIGNING: &str = "manilla quote v1";

/// What names of providers are hidden for.
const HIDING: &str = "manilla quote provider v1";

/// How many bytes a signature has.
const SIGNATURE: usize = 32;

/// How many digits stand for a provider: enough that no two of an installation share them.
const PROVIDER_DIGITS: usize = 16;

/// Whose quote it is, and of what kind: one is of no use as another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuoteScope<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) kind: &'static str,
}

/// Signs and reads quotes.
#[derive(Debug)]
pub(crate) struct QuoteSigner<'a>(&'a Pepper);

impl<'a> QuoteSigner<'a> {
    pub(crate) const fn new(pepper: &'a Pepper) -> Self {
        Self(pepper)
    }

    /// The text of a quote; `None` where its fields are longer than a quote may be.
    pub(crate) fn sign(&self, scope: QuoteScope<'_>, fields: &[String]) -> Option<QuoteIdentifier> {
        let mut text = parts(fields.iter().map(String::as_bytes));
        let signature = self.signature(scope, &text);
        text.extend_from_slice(&signature);
        let text = URL_SAFE_NO_PAD.encode(text);
        QuoteIdentifier::parse(&format!("{}{text}", QuoteIdentifier::PREFIX)).ok()
    }

    /// The fields of a quote that was signed here in this scope, and of no other.
    pub(crate) fn read(
        &self,
        scope: QuoteScope<'_>,
        quote: &QuoteIdentifier,
    ) -> Option<Vec<String>> {
        let text = quote.as_str().strip_prefix(QuoteIdentifier::PREFIX)?;
        let text = URL_SAFE_NO_PAD.decode(text).ok()?;
        let end = text.len().checked_sub(SIGNATURE)?;
        let (text, signature) = text.split_at_checked(end)?;
        let is_signed = self.signature(scope, text).ct_eq(signature);
        if !bool::from(is_signed) {
            return None;
        }
        fields(text)
    }

    /// What stands for a provider in a quote: merchants do not see who serves them.
    pub(crate) fn hidden(&self, provider: &ProviderId) -> String {
        let parts = parts([HIDING.as_bytes(), provider.as_str().as_bytes()]);
        let hash = self.0.authenticate(&parts);
        let digits = hash.iter().map(|byte| format!("{byte:02x}"));
        digits
            .collect::<String>()
            .chars()
            .take(PROVIDER_DIGITS)
            .collect()
    }

    fn signature(&self, scope: QuoteScope<'_>, text: &[u8]) -> [u8; SIGNATURE] {
        let QuoteScope { account, kind } = scope;
        let signed = [
            SIGNING.as_bytes(),
            kind.as_bytes(),
            account.as_str().as_bytes(),
            text,
        ];
        self.0.authenticate(&parts(signed))
    }
}

/// Each part is preceded by its length: no two lists of parts are one text.
fn parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    for part in parts {
        let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
        text.extend_from_slice(&length.to_be_bytes());
        text.extend_from_slice(part);
    }
    text
}

/// The parts of a text.
fn fields(mut text: &[u8]) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (part, rest) = rest.split_at_checked(length)?;
        fields.push(String::from_utf8(part.to_vec()).ok()?);
        text = rest;
    }
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PEPPER: Pepper = Pepper::new([7; 32]);

    fn account(id: &str) -> AccountId {
        AccountId::parse(id).unwrap()
    }

    fn scope(account: &AccountId) -> QuoteScope<'_> {
        QuoteScope {
            account,
            kind: "international",
        }
    }

    #[test]
    fn a_quote_is_read_in_its_scope_alone() {
        let shop = account("1234567890");
        let signer = QuoteSigner::new(&PEPPER);
        let quote = signer
            .sign(scope(&shop), &["a".into(), "b".into()])
            .unwrap();
        assert_eq!(
            signer.read(scope(&shop), &quote),
            Some(vec!["a".into(), "b".into()])
        );
        let other = account("1234567891");
        assert_eq!(signer.read(scope(&other), &quote), None);
        let kind = QuoteScope {
            kind: "fees",
            ..scope(&shop)
        };
        assert_eq!(signer.read(kind, &quote), None);
        let elsewhere = Pepper::new([8; 32]);
        assert_eq!(
            QuoteSigner::new(&elsewhere).read(scope(&shop), &quote),
            None
        );
    }

    #[test]
    fn no_quote_is_longer_than_its_text_may_be() {
        let shop = account("1234567890");
        let signer = QuoteSigner::new(&PEPPER);
        assert_eq!(signer.sign(scope(&shop), &["x".repeat(800)]), None);
    }

    #[test]
    fn a_provider_is_not_named() {
        let signer = QuoteSigner::new(&PEPPER);
        let [one, two] = ["sandbox", "sandbox-2"].map(|id| ProviderId::parse(id).unwrap());
        assert_eq!(signer.hidden(&one), signer.hidden(&one));
        assert_ne!(signer.hidden(&one), signer.hidden(&two));
        assert_eq!(signer.hidden(&one).len(), PROVIDER_DIGITS);
    }

    proptest! {
        #[test]
        fn one_changed_character_is_no_quote(
            fields in proptest::collection::vec(".{0,20}", 0..6),
            at in any::<prop::sample::Index>(),
        ) {
            let shop = account("1234567890");
            let signer = QuoteSigner::new(&PEPPER);
            let quote = signer.sign(scope(&shop), &fields).unwrap();
            prop_assert_eq!(signer.read(scope(&shop), &quote), Some(fields));
            let mut text: Vec<char> = quote.as_str().chars().collect();
            let begins = QuoteIdentifier::PREFIX.len();
            let at = begins + at.index(text.len() - begins);
            text[at] = if text[at] == 'A' { 'B' } else { 'A' };
            let text: String = text.into_iter().collect();
            let changed = QuoteIdentifier::parse(&text).unwrap();
            prop_assert_eq!(signer.read(scope(&shop), &changed), None);
        }
    }
}
