//! Addresses in messages. One alone may open a file, so it must never be shown in a log.

use crate::collection::{InvalidRedirectUrl, RedirectUrl};
use std::fmt;

/// Where the platform fetches a file, or where the person's device goes.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageUrl(RedirectUrl);

/// Only its host is shown.
impl fmt::Debug for MessageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageUrl(at {})", self.0.host())
    }
}

impl MessageUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// Refuses what is no address of the web, one without TLS, credentials and fragments.
    pub fn parse(text: &str) -> Result<Self, InvalidMessageUrl> {
        let url = RedirectUrl::parse(text).map_err(|InvalidRedirectUrl| InvalidMessageUrl)?;
        // It is opened from outside.
        (text.starts_with("https://") && !RedirectUrl::LOCAL.contains(&url.host()))
            .then_some(Self(url))
            .ok_or(InvalidMessageUrl)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The text is no address for a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an https address of at most {} ASCII characters without credentials and fragment, \
     such as https://shop.example/receipts/1.pdf",
    RedirectUrl::LENGTH_MAX
)]
pub struct InvalidMessageUrl;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_opened_over_tls_from_outside() {
        let read = MessageUrl::parse("https://shop.example/a.pdf").unwrap();
        assert_eq!(read.as_str(), "https://shop.example/a.pdf");
        for url in [
            "http://localhost/a.pdf",
            "https://localhost/a.pdf",
            "http://shop.example/a",
            "ftp://x/a",
            "https://u@x/",
        ] {
            assert_eq!(MessageUrl::parse(url), Err(InvalidMessageUrl), "{url}");
        }
    }

    #[test]
    fn a_log_shows_no_address() {
        let url = MessageUrl::parse("https://shop.example/secret.pdf").unwrap();
        assert_eq!(format!("{url:?}"), "MessageUrl(at shop.example)");
    }
}
