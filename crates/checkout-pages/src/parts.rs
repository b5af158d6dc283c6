//! Parts of the page of an order that do not depend on how it is paid: amounts, what is bought, the
//! way back, the panel of test pages. They must not link to an address without TLS.

use maud::{Markup, html};

use crate::phrase::phrase;
use crate::untrusted::isolated;
use crate::{CheckoutPage, PageState, Texts};

/// Hosts of a developer's own machine, where no certificate is needed.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// An amount with the currency of the order.
pub(crate) fn money(page: &CheckoutPage<'_>, amount: &str, texts: &Texts) -> Markup {
    let values = [
        ("currency", html! { span.currency { (page.currency) } }),
        ("amount", html! { span.figure { (breakable(amount)) } }),
    ];
    html! { span.money { (phrase(texts.money, &values)) } }
}

/// An amount that may continue on another line after a comma, if it is long.
fn breakable(amount: &str) -> Markup {
    let parts: Vec<_> = amount.split_inclusive(',').collect();
    html! {
        @if is_long(amount) {
            @for part in parts { (part) wbr; }
        } @else {
            (amount)
        }
    }
}

/// Whether an amount is so long that a phone cannot show it in its usual size.
pub(crate) fn is_long(amount: &str) -> bool {
    amount.len() > "999,999.99".len()
}

/// What is bought, where the merchant listed it.
pub(crate) fn items(page: &CheckoutPage<'_>, texts: &Texts) -> Markup {
    let has_long = page.items.iter().any(|item| is_long(item.amount));
    let currency = [("currency", html! { (page.currency) })];
    let amount_heading = phrase(texts.item_amount, &currency);
    html! {
        @if !page.items.is_empty() {
            section.items aria-labelledby="items" {
                h2 #items { (texts.items) }
                table.long[has_long] {
                    thead {
                        tr {
                            th scope="col" { (texts.item) }
                            th.count scope="col" { (texts.quantity) }
                            th.price scope="col" { (amount_heading) }
                        }
                    }
                    tbody {
                        @for item in page.items {
                            tr {
                                td { (isolated(item.name)) }
                                td.count { (isolated(item.quantity)) }
                                td.price { (breakable(item.amount)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The link to the merchant's own page, which does not learn the address of this one.
/// It stands out where there is nothing else left to do.
pub(crate) fn return_link(page: &CheckoutPage<'_>, texts: &Texts) -> Markup {
    let class = match page.state {
        PageState::Open | PageState::Part { .. } => "button",
        PageState::Paid
        | PageState::Overpaid { .. }
        | PageState::Expired { .. }
        | PageState::Cancelled { .. } => "button primary",
    };
    let address = page.return_to.filter(|address| is_linked(address));
    let merchant = [("merchant", isolated(page.merchant))];
    let label = phrase(texts.return_link, &merchant);
    html! {
        @if let Some(address) = address {
            p.return { a class=(class) href=(address) rel="noreferrer" { (label) } }
        }
    }
}

/// Above a test page.
pub(crate) fn test_banner(texts: &Texts) -> Markup {
    html! { p.test-banner { b { (texts.test_banner) } " " (texts.test_banner_note) } }
}

/// Simulates transfers to an order of a test account, in every state.
pub(crate) fn test_panel(page: &CheckoutPage<'_>, texts: &Texts) -> Markup {
    let choices = [
        ("exact", texts.pay_exact),
        ("less", texts.pay_less),
        ("more", texts.pay_more),
    ];
    html! {
        section.test-panel aria-labelledby="test-panel" {
            h2 #test-panel { (texts.test_panel) }
            p { (texts.test_panel_note) }
            form method="post" action=(page.self_path) {
                @for (value, label) in choices {
                    @let value = format!("{value}-{}", page.payments);
                    button.button type="submit" name="pay" value=(value) { (label) }
                }
            }
        }
    }
}

/// Addresses with TLS, and those of a developer's own machine.
fn is_linked(address: &str) -> bool {
    let Some((scheme, rest)) = address.split_once("://") else {
        return false;
    };
    let is_local = LOCAL.iter().any(|host| {
        let after = rest.strip_prefix(host);
        after.is_some_and(|after| after.is_empty() || after.starts_with([':', '/', '?']))
    });
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    if authority.contains('@') {
        return false;
    }
    let is_safe = scheme.eq_ignore_ascii_case("https") || scheme == "http" && is_local;
    // A browser drops some control characters from an address: it would not be the one given.
    is_safe && !address.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::is_linked;

    #[test]
    fn only_tls_and_the_own_machine_are_linked() {
        for address in [
            "https://shop.example/thanks?order=1",
            "HTTPS://shop.example",
            "http://localhost:3000/back",
            "http://127.0.0.1",
        ] {
            assert!(is_linked(address), "{address}");
        }
        for address in [
            "http://shop.example",
            "http://localhost.shop.example",
            "http://localhost@shop.example",
            "http://localhost:80@shop.example",
            "https://shop.example@evil.example",
            "javascript:alert(1)",
            "javascript://localhost/",
            "//shop.example",
            "https://shop\n.example",
            " https://x",
            "",
        ] {
            assert!(!is_linked(address), "{address}");
        }
    }
}
