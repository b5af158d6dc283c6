//! The pages of the hosted checkout as HTML: what a customer of a merchant sees of an order, and
//! the pages shown in place of one. Pure functions from a view to a text; they must not read a
//! clock, a file or a request, ask for card data, or contain a script.
//!
//! Every page is complete without JavaScript and loads one style sheet, [`stylesheet`], from the
//! path that its [`PageSetting`] names. Serve each with [`CONTENT_SECURITY_POLICY`].

mod checkout;
mod icon;
mod layout;
mod notice;
mod parts;
mod phrase;
mod texts;
mod transfer;
mod untrusted;

pub use notice::{not_found, too_many_requests, unavailable};
pub use texts::{EN, Texts};

/// The `Content-Security-Policy` that every page is made for. It allows no script, no inline style
/// and nothing of another host.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
     form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The style sheet of every page, `text/css; charset=utf-8`. It loads nothing.
pub fn stylesheet() -> &'static str {
    concat!(
        include_str!("style/page.css"),
        include_str!("style/parts.css"),
        include_str!("style/media.css"),
    )
}

/// What is the same for every page of a gateway.
#[derive(Debug, Clone, Copy)]
pub struct PageSetting<'a> {
    /// The path at which [`stylesheet`] is served.
    pub stylesheet_path: &'a str,
    /// The language of the page.
    pub texts: &'a Texts,
}

/// What a customer sees of one order. Texts of merchants, customers and banks may be any text: they
/// are shown as text and change nothing around them. Amounts are formatted, `5,000.00`.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutPage<'a> {
    /// The path of this page: it is loaded again from here, and the test panel posts to it.
    pub self_path: &'a str,
    /// The name of the merchant that is paid.
    pub merchant: &'a str,
    /// Whether the order belongs to a test account. A test page says that no money moves, and has a
    /// form that posts `pay=exact-N`, `pay=less-N` or `pay=more-N` to [`Self::self_path`], where
    /// `N` is [`Self::payments`].
    pub is_test: bool,
    /// How many payments the page shows: a form that is sent twice pays once.
    pub payments: u64,
    /// The merchant's reference of the order.
    pub reference: &'a str,
    /// The name of the customer, where the merchant gave one.
    pub customer: Option<&'a str>,
    /// What is bought; may be empty.
    pub items: &'a [CheckoutItem<'a>],
    /// The amount of the whole order.
    pub amount: &'a str,
    /// The currency of every amount, `NGN`.
    pub currency: &'a str,
    /// How far the order is paid.
    pub state: PageState<'a>,
    /// Where to pay. It is shown while the order can be paid; without it the page asks to be loaded
    /// again later.
    pub transfer: Option<TransferDetails<'a>>,
    /// Until when the order can be paid, with its time zone. It is shown while it can be.
    pub expires: Option<&'a str>,
    /// The merchant's own page, an `https` address, or one of this machine. Any other is not
    /// linked.
    pub return_to: Option<&'a str>,
}

/// One line of an order.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutItem<'a> {
    /// What it is.
    pub name: &'a str,
    /// How many, `2`.
    pub quantity: &'a str,
    /// What all of them cost.
    pub amount: &'a str,
}

/// How far an order is paid. An order that was paid after its end is [`PageState::Paid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageState<'a> {
    /// Nothing has arrived.
    Open,
    /// Less than the amount has arrived.
    Part {
        /// What has arrived.
        paid: &'a str,
        /// What is still to be paid.
        missing: &'a str,
    },
    /// The amount has arrived.
    Paid,
    /// More than the amount has arrived.
    Overpaid {
        /// What has arrived.
        paid: &'a str,
        /// By how much that is above the amount of the order.
        excess: &'a str,
    },
    /// The time to pay has passed.
    Expired {
        /// What had arrived, if anything.
        paid: Option<&'a str>,
    },
    /// The order was cancelled.
    Cancelled {
        /// What had arrived, if anything.
        paid: Option<&'a str>,
    },
}

/// The account an order is paid to.
#[derive(Debug, Clone, Copy)]
pub struct TransferDetails<'a> {
    /// The name of the bank.
    pub bank: &'a str,
    /// The account number, without spaces.
    pub account_number: &'a str,
    /// The name of the account.
    pub account_name: &'a str,
    /// What the customer puts in the narration of the transfer, without spaces.
    pub payment_reference: &'a str,
}

impl CheckoutPage<'_> {
    /// The page, `text/html; charset=utf-8`.
    pub fn to_html(&self, setting: &PageSetting<'_>) -> String {
        checkout::page(self, setting).into_string()
    }
}
