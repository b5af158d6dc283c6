//! Quotes that carry their own proof: what was quoted, sealed under the installation's secret for
//! one account and one kind of quote. Nothing is stored, every instance reads them, and no restore
//! forgets one. A merchant must not be able to read or to change one.

use crate::pepper::Pepper;
use crate::prefixed_parts::PrefixedParts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::account::AccountId;
use domain::quote_identifier::QuoteIdentifier;
use domain::time::Timestamp;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::time::Duration;

/// What the key of an account's quotes is derived for.
const SEALING: &str = "manilla quote key v1";

/// What the nonce of a quote is derived for.
const NONCE: &str = "manilla quote nonce v1";

/// How far apart the clocks of instances may be: a quote that would last longer than this beyond
/// the longest there are was made by a clock that was wrong.
pub(crate) const CLOCKS_DIFFER_BY: Duration = Duration::from_mins(1);

/// Whose quote it is, and of what kind: one is of no use as another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuoteScope<'a> {
    pub(crate) account: &'a AccountId,
    pub(crate) kind: &'static str,
}

/// Whether a quote that lasts to a moment is honoured now, where none is made to last longer than
/// `longest`.
pub(crate) fn is_honoured(expires_at: Timestamp, now: Timestamp, longest: Duration) -> bool {
    let latest = now.plus(longest).plus(CLOCKS_DIFFER_BY);
    now < expires_at && expires_at <= latest
}

/// Seals and opens quotes.
#[derive(Debug)]
pub(crate) struct QuoteSealer<'a>(&'a Pepper);

impl<'a> QuoteSealer<'a> {
    pub(crate) const fn new(pepper: &'a Pepper) -> Self {
        Self(pepper)
    }

    /// The text of a quote; `None` where its fields are longer than a quote may be.
    pub(crate) fn seal(&self, scope: QuoteScope<'_>, fields: &[String]) -> Option<QuoteIdentifier> {
        let text = PrefixedParts::default().with_each(fields);
        // Derived from all that is sealed: two different quotes never share a nonce but by chance.
        let nonce = self.of_account(NONCE, scope, text.as_bytes());
        let mut text = text.as_bytes().to_vec();
        let nonce: [u8; NONCE_LEN] = *nonce.first_chunk()?;
        let aad = Aad::from(scope.kind.as_bytes());
        let key = self.key(scope)?;
        let sealed =
            key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text);
        sealed.ok()?;
        let text = URL_SAFE_NO_PAD.encode([&nonce[..], &text].concat());
        QuoteIdentifier::parse(&format!("{}{text}", QuoteIdentifier::PREFIX)).ok()
    }

    /// The fields of a quote that was sealed here in this scope, and of no other.
    pub(crate) fn open(
        &self,
        scope: QuoteScope<'_>,
        quote: &QuoteIdentifier,
    ) -> Option<Vec<String>> {
        let each = self.0.generations();
        let mut each = each.map(|it| QuoteSealer(&it).opened(scope, quote));
        each.find_map(|opened| opened)
    }

    fn opened(&self, scope: QuoteScope<'_>, quote: &QuoteIdentifier) -> Option<Vec<String>> {
        let text = quote.as_str().strip_prefix(QuoteIdentifier::PREFIX)?;
        let text = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, sealed) = text.split_first_chunk::<NONCE_LEN>()?;
        let aad = Aad::from(scope.kind.as_bytes());
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let mut sealed = sealed.to_vec();
        let opened = self.key(scope)?.open_in_place(nonce, aad, &mut sealed);
        fields(opened.ok()?)
    }

    /// What is derived from the secret for one purpose, account and kind of quote.
    fn of_account(&self, purpose: &str, scope: QuoteScope<'_>, text: &[u8]) -> [u8; 32] {
        let (kind, account) = (scope.kind.as_bytes(), scope.account.as_str().as_bytes());
        let message = PrefixedParts::default().with_each([kind, account, text]);
        self.0.for_purpose(purpose).authenticate(message.as_bytes())
    }

    fn key(&self, scope: QuoteScope<'_>) -> Option<LessSafeKey> {
        let key = self.of_account(SEALING, scope, &[]);
        let key = UnboundKey::new(&CHACHA20_POLY1305, &key).ok()?;
        Some(LessSafeKey::new(key))
    }
}

/// The parts of a text.
fn fields(mut text: &[u8]) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    while !text.is_empty() {
        let (length, rest) = text.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
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

    static PEPPER: Pepper = Pepper::new([7; 32]);

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
        let sealer = QuoteSealer::new(&PEPPER);
        let fields = ["a".to_owned(), "b".to_owned()];
        let quote = sealer.seal(scope(&shop), &fields).unwrap();
        assert_eq!(sealer.open(scope(&shop), &quote), Some(fields.into()));
        let other = account("1234567891");
        assert_eq!(sealer.open(scope(&other), &quote), None);
        let kind = QuoteScope {
            kind: "fees",
            ..scope(&shop)
        };
        assert_eq!(sealer.open(kind, &quote), None);
        let elsewhere = Pepper::new([8; 32]);
        assert_eq!(
            QuoteSealer::new(&elsewhere).open(scope(&shop), &quote),
            None
        );
    }

    #[test]
    fn nothing_of_a_quote_can_be_read_and_no_two_look_alike() {
        let shop = account("1234567890");
        let sealer = QuoteSealer::new(&PEPPER);
        let bytes = |last: &str| {
            let fields = ["provider-of-the-quote".to_owned(), last.to_owned()];
            let quote = sealer.seal(scope(&shop), &fields).unwrap();
            let text = quote.as_str().strip_prefix(QuoteIdentifier::PREFIX);
            URL_SAFE_NO_PAD.decode(text.unwrap()).unwrap()
        };
        let [one, two] = ["1", "2"].map(bytes);
        let name = b"provider";
        assert!(!one.windows(name.len()).any(|part| part == name));
        let same = one.iter().zip(&two).filter(|(a, b)| a == b).count();
        assert!(same < one.len() / 4, "{same} of {}", one.len());
    }

    #[test]
    fn no_quote_is_longer_than_its_text_may_be() {
        let shop = account("1234567890");
        let sealer = QuoteSealer::new(&PEPPER);
        assert_eq!(sealer.seal(scope(&shop), &["x".repeat(800)]), None);
    }

    #[test]
    fn a_quote_is_honoured_until_it_expires_and_never_for_longer_than_any_is_made() {
        let longest = Duration::from_mins(15);
        let now = Timestamp::from_millis(1_000_000_000);
        let after = |length: Duration| now.plus(length);
        let millisecond = Duration::from_millis(1);
        for (expires_at, honoured) in [
            (now, false),
            (after(millisecond), true),
            (after(longest + CLOCKS_DIFFER_BY), true),
            (after(longest + CLOCKS_DIFFER_BY + millisecond), false),
        ] {
            assert_eq!(is_honoured(expires_at, now, longest), honoured);
        }
    }

    proptest! {
        #[test]
        fn one_changed_character_is_no_quote(
            fields in proptest::collection::vec(".{0,20}", 0..6),
            at in any::<prop::sample::Index>(),
        ) {
            let shop = account("1234567890");
            let sealer = QuoteSealer::new(&PEPPER);
            let quote = sealer.seal(scope(&shop), &fields).unwrap();
            prop_assert_eq!(sealer.open(scope(&shop), &quote), Some(fields));
            let mut text: Vec<char> = quote.as_str().chars().collect();
            let begins = QuoteIdentifier::PREFIX.len();
            let at = begins + at.index(text.len() - begins);
            text[at] = if text[at] == 'A' { 'B' } else { 'A' };
            let text: String = text.into_iter().collect();
            let changed = QuoteIdentifier::parse(&text).unwrap();
            prop_assert_eq!(sealer.open(scope(&shop), &changed), None);
        }
    }
}
