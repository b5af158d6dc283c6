//! What a checkout session sells, and where its customer goes afterwards. The items of a session
//! must add up to its amount.

use super::{COLLECTION_MAX, PaymentReference};
use crate::account::EmailAddress;
use crate::bank::GroupLabel;
use crate::money::{Currency, Money};
use crate::phone::PhoneNumber;
use crate::time::Timestamp;
use std::fmt;
use std::net::Ipv6Addr;
use std::time::Duration;

/// Most items of one sale: what a page lists without being searched.
pub const SALE_ITEMS_MAX: usize = 50;

/// Most pieces of one item: more is a mistake of digits.
pub const SALE_QUANTITY_MAX: u32 = 1_000_000;

/// How long a session waits for its money where the merchant says nothing: a day.
pub const CHECKOUT_LIFE: Duration = Duration::from_hours(24);

/// The longest that a session may wait: 30 days. What waits for longer is an invoice.
pub const CHECKOUT_LIFE_MAX: Duration = Duration::from_hours(30 * 24);

/// One item of a sale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleItem {
    /// What is sold.
    pub name: GroupLabel,
    /// How many of it.
    pub quantity: u32,
    /// What one costs.
    pub amount: Money,
}

impl SaleItem {
    /// What all of it costs; `None` above the largest amount.
    pub fn total(&self) -> Option<Money> {
        let minor = self.amount.minor().checked_mul(self.quantity.into())?;
        let total = Money::from_minor(minor, self.amount.currency());
        (minor <= COLLECTION_MAX.minor()).then_some(total)
    }

    /// What some items cost together; `None` above the largest amount.
    pub fn sum(items: &[Self]) -> Option<Money> {
        items
            .iter()
            .try_fold(Money::zero(Currency::Ngn), |sum, item| {
                sum.checked_add(item.total()?)
                    .filter(|sum| sum.minor() <= COLLECTION_MAX.minor())
            })
    }
}

/// Where the customer of a session goes back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectUrl(String);

/// The text is no address to send a customer back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an https address of at most {} ASCII characters without credentials and fragment, \
     such as https://shop.example/orders/1; http is taken of localhost alone",
    RedirectUrl::LENGTH_MAX
)]
pub struct InvalidRedirectUrl;

impl RedirectUrl {
    /// Longest address.
    pub const LENGTH_MAX: usize = 1000;

    /// Hosts of a developer's own machine, where no certificate is needed.
    pub(crate) const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

    /// Reads an address.
    ///
    /// # Errors
    /// Refuses what is no address of the web, one without TLS, credentials and fragments.
    pub fn parse(text: &str) -> Result<Self, InvalidRedirectUrl> {
        let is_plain = |c: char| c.is_ascii_graphic() && !"\"#<>\\^`{|}".contains(c);
        if text.len() > Self::LENGTH_MAX || !text.chars().all(is_plain) {
            return Err(InvalidRedirectUrl);
        }
        let (scheme, rest) = text.split_once("://").ok_or(InvalidRedirectUrl)?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, _) = rest.split_at_checked(end).ok_or(InvalidRedirectUrl)?;
        let host = host_of(authority).ok_or(InvalidRedirectUrl)?;
        let is_safe = match scheme {
            "https" => true,
            "http" => Self::LOCAL.contains(&host),
            _ => false,
        };
        is_safe
            .then(|| Self(text.to_owned()))
            .ok_or(InvalidRedirectUrl)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its host.
    pub fn host(&self) -> &str {
        let rest = self.0.split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        host_of(authority).unwrap_or_default()
    }

    /// The address with more in its query. The names and values must need no escaping.
    pub fn with_query(&self, pairs: &[(&str, &str)]) -> String {
        let mut address = self.0.clone();
        for (name, value) in pairs {
            address.push(if address.contains('?') { '&' } else { '?' });
            address.push_str(name);
            address.push('=');
            address.push_str(value);
        }
        address
    }
}

impl fmt::Display for RedirectUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The host of an authority (RFC 3986, 3.2) without credentials.
fn host_of(authority: &str) -> Option<&str> {
    let end = match authority.strip_prefix('[') {
        Some(_) => authority.find(']')?.saturating_add(1),
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at_checked(end)?;
    let is_port = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok(),
    };
    let literal = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_host = match literal {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => host.split('.').all(is_label),
    };
    (is_port && is_host).then_some(host)
}

/// Whether a text is a part of a name of a host (RFC 1123, 2.1).
fn is_label(label: &str) -> bool {
    let ends = |at: Option<u8>| at.is_some_and(|b| b.is_ascii_alphanumeric());
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    ends(label.bytes().next()) && ends(label.bytes().last()) && label.bytes().all(is_plain)
}

/// What was agreed for a checkout session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutTerms {
    /// The number that the payer names, which no other collection has or will have.
    pub reference: PaymentReference,
    /// Of the customer.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// Where the customer goes afterwards.
    pub redirect: RedirectUrl,
    /// What is sold; empty where the merchant does not say.
    pub items: Vec<SaleItem>,
}

impl CheckoutTerms {
    /// What a customer without a name is called: the address or the number, as much of it as a name
    /// has room for.
    pub fn contact_of(
        email: Option<&EmailAddress>,
        phone: Option<&PhoneNumber>,
    ) -> Option<GroupLabel> {
        let contact = email.map(EmailAddress::as_str);
        let contact = contact.or(phone.map(PhoneNumber::digits))?;
        let short: String = contact.chars().take(GroupLabel::LENGTH_MAX).collect();
        GroupLabel::parse(&short).ok()
    }

    /// Whether a customer has no other name than that.
    pub fn is_contact(&self, payer: &GroupLabel) -> bool {
        Self::contact_of(self.email.as_ref(), self.phone.as_ref()).as_ref() == Some(payer)
    }
}

/// A checkout session to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCheckout {
    /// The merchant's reference.
    pub reference: crate::reference::MerchantReference,
    /// What is to be paid.
    pub amount: Money,
    /// Who pays: a name, an address or a telephone number.
    pub customer: GroupLabel,
    /// Of the customer.
    pub email: Option<EmailAddress>,
    /// The same.
    pub phone: Option<PhoneNumber>,
    /// Where the customer goes afterwards.
    pub redirect: RedirectUrl,
    /// What is sold.
    pub items: Vec<SaleItem>,
    /// When it ends; [`CHECKOUT_LIFE`] after it was opened, where the merchant does not say.
    pub expires_at: Option<Timestamp>,
}

/// How a checkout session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CheckoutStatus {
    /// It waits for money, also where some arrived.
    Open,
    /// All was paid, or more.
    Paid,
    /// Its time is over.
    Expired,
    /// Its merchant cancelled it.
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_of_the_web_are_taken_with_tls() {
        for good in [
            "https://shop.example",
            "https://shop.example/orders/1?a=b&c=%20d",
            "https://shop.example:8443/",
            "https://[2001:db8::1]/x",
            "http://localhost:3000/back",
            "http://127.0.0.1",
            "http://[::1]:80/",
        ] {
            let read = RedirectUrl::parse(good).unwrap();
            assert!(
                !read.host().is_empty() && good.contains(read.host()),
                "{good}"
            );
            assert_eq!(read.0, good);
        }
        for bad in [
            "",
            "shop.example",
            "http://shop.example",
            "http://localhost.shop.example",
            "javascript://shop.example/%0aalert(1)",
            "https://",
            "https:///x",
            "https://user:word@shop.example",
            "https://shop.example@evil.example",
            "https://shop.example:x/",
            "https://shop.example:99999/",
            "https://shop.example/#part",
            "https://shop.example/a b",
            "https://shop.example/\"",
            "https://shop.example\\@evil.example/",
            "https://[evil]/",
            "https://[:::]/",
            "https://.",
            "https://-",
            "https://shop..example",
            "https://shop.example:+80/",
            "https://sh\u{f6}p.example",
        ] {
            assert!(RedirectUrl::parse(bad).is_err(), "{bad}");
        }
        let long = format!(
            "https://shop.example/{}",
            "a".repeat(RedirectUrl::LENGTH_MAX)
        );
        assert!(RedirectUrl::parse(&long).is_err());
    }

    #[test]
    fn a_query_is_added_to_or_begun() {
        let with = |text| {
            let url = RedirectUrl::parse(text).unwrap();
            url.with_query(&[("a", "1"), ("b", "2")])
        };
        assert_eq!(with("https://x.example"), "https://x.example?a=1&b=2");
        assert_eq!(
            with("https://x.example/?c=3"),
            "https://x.example/?c=3&a=1&b=2"
        );
    }

    fn item(quantity: u32, minor: i64) -> SaleItem {
        SaleItem {
            name: GroupLabel::parse("Yam").unwrap(),
            quantity,
            amount: Money::from_minor(minor, Currency::Ngn),
        }
    }

    #[test]
    fn a_sum_above_the_largest_amount_is_none() {
        assert_eq!(SaleItem::sum(&[]), Some(Money::zero(Currency::Ngn)));
        assert_eq!(SaleItem::sum(&[item(SALE_QUANTITY_MAX, i64::MAX)]), None);
        let half = item(1, COLLECTION_MAX.minor() / 2);
        assert_eq!(
            SaleItem::sum(&[half.clone(), half.clone()]),
            Some(COLLECTION_MAX)
        );
        assert_eq!(SaleItem::sum(&[half.clone(), half, item(1, 1)]), None);
    }

    proptest! {
        #[test]
        fn items_add_up(all in prop::collection::vec((1..100_u32, 1..10_000_i64), 0..20)) {
            let each = all.iter();
            let items: Vec<_> = each.clone().map(|(many, minor)| item(*many, *minor)).collect();
            let sum: i64 = each.map(|(many, minor)| i64::from(*many) * minor).sum();
            prop_assert_eq!(SaleItem::sum(&items).map(Money::minor), Some(sum));
        }

        #[test]
        fn what_is_taken_has_a_host_and_nothing_hidden(text in "https?://[ -~]{0,40}") {
            if let Ok(url) = RedirectUrl::parse(&text) {
                let authority = url.as_str().split("://").nth(1).unwrap();
                let authority = authority.split(['/', '?']).next().unwrap();
                prop_assert!(!authority.is_empty() && !authority.contains('@'));
                prop_assert!(!text.contains(['#', '"', '<', '\\', ' ']));
            }
        }
    }
}
