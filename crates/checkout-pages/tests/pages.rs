//! What every page of the checkout has and what none has, over every sample. These tests must not
//! repeat the texts: a translation must pass them too.

mod document;
#[path = "../examples/views/samples.rs"]
mod samples;

use std::collections::BTreeSet;

use checkout_pages::{
    CONTENT_SECURITY_POLICY, CheckoutPage, EN, PageSetting, PageState, Texts, stylesheet,
};
use document::{ReadElement, elements};
use samples::{SampleView, TEXTS};

const SETTING: PageSetting<'static> = PageSetting {
    stylesheet_path: "/checkout.css",
    texts: &EN,
};

/// Every element a page may have. None of them takes what a customer types, and none loads anything
/// but the style sheet.
const ALLOWED: &[&str] = &[
    "html", "head", "meta", "title", "link", "body", "header", "main", "footer", "section", "div",
    "p", "h1", "h2", "dl", "dt", "dd", "ol", "ul", "li", "table", "thead", "tbody", "tr", "th",
    "td", "span", "wbr", "b", "bdi", "a", "form", "button", "svg", "circle", "path",
];

/// Every attribute an element may have.
const ALLOWED_ATTRIBUTES: &[&str] = &[
    "action",
    "aria-hidden",
    "aria-labelledby",
    "charset",
    "class",
    "content",
    "cx",
    "cy",
    "d",
    "dir",
    "focusable",
    "height",
    "href",
    "id",
    "lang",
    "method",
    "name",
    "r",
    "rel",
    "role",
    "scope",
    "type",
    "value",
    "viewbox",
    "width",
];

fn views() -> Vec<SampleView> {
    samples::views(&SETTING)
}

fn named<'e>(elements: &'e [ReadElement], name: &'e str) -> impl Iterator<Item = &'e ReadElement> {
    elements.iter().filter(move |element| element.name == name)
}

fn short(state: PageState<'_>) -> CheckoutPage<'_> {
    samples::page(&TEXTS[0], state, "/pay/abc")
}

#[test]
fn no_page_takes_what_a_customer_types_or_runs_or_loads_anything() {
    for view in views() {
        for element in elements(&view.html) {
            assert!(
                ALLOWED.contains(&element.name.as_str()),
                "{}: {element:?}",
                view.name
            );
            for name in element.attributes.keys() {
                let allowed = ALLOWED_ATTRIBUTES.contains(&name.as_str());
                assert!(allowed, "{}: {name}", view.name);
            }
            if element.name == "link" {
                assert_eq!(element.attribute("rel"), Some("stylesheet"));
                assert_eq!(element.attribute("href"), Some("/checkout.css"));
            }
            assert_eq!(element.attribute("http-equiv"), None);
        }
        for never in [
            "<input",
            "<textarea",
            "<select",
            "<script",
            "<img",
            "<iframe",
            "style=",
        ] {
            assert!(!view.html.contains(never), "{}: {never}", view.name);
        }
    }
}

#[test]
fn the_style_sheet_loads_nothing_and_the_policy_allows_no_script() {
    for never in ["url(", "@import", "http", "expression"] {
        assert!(!stylesheet().contains(never), "{never}");
    }
    assert!(CONTENT_SECURITY_POLICY.starts_with("default-src 'none'; "));
    for never in ["unsafe", "script-src", "*", "data:", "http"] {
        assert!(!CONTENT_SECURITY_POLICY.contains(never), "{never}");
    }
}

#[test]
fn every_page_has_a_language_a_title_landmarks_and_one_heading() {
    for view in views() {
        let elements = elements(&view.html);
        let count = |name: &str| named(&elements, name).count();
        for name in ["html", "title", "main", "footer", "h1"] {
            assert_eq!(count(name), 1, "{}: {name}", view.name);
        }
        assert!(view.html.starts_with("<!DOCTYPE html>"));
        assert_eq!(elements[0].attribute("lang"), Some("en"));
        assert_eq!(elements[0].attribute("dir"), Some("ltr"));
        let is_status = |element: &&ReadElement| element.attribute("role") == Some("status");
        assert_eq!(
            elements.iter().filter(is_status).count(),
            1,
            "{}",
            view.name
        );
        let ids: Vec<_> = elements.iter().filter_map(|e| e.attribute("id")).collect();
        let unique: BTreeSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), unique.len(), "{}: {ids:?}", view.name);
        for section in named(&elements, "section") {
            let label = section.attribute("aria-labelledby").unwrap();
            assert!(ids.contains(&label), "{}: {label}", view.name);
        }
        for heading in named(&elements, "th") {
            assert_eq!(heading.attribute("scope"), Some("col"));
        }
    }
}

#[test]
fn the_title_says_the_state_and_the_merchant() {
    for (name, state) in samples::states(&TEXTS[0]) {
        let elements = elements(&short(state).to_html(&SETTING));
        let title = &named(&elements, "title").next().unwrap().text;
        let heading = &named(&elements, "h1").next().unwrap().text;
        assert!(title.contains(heading.as_str()), "{name}: {title}");
        assert!(title.contains(TEXTS[0].merchant), "{name}: {title}");
    }
}

#[test]
fn an_order_is_paid_to_an_account_only_while_it_can_be_paid() {
    for (name, state) in samples::states(&TEXTS[0]) {
        let can_be_paid = ["open", "part"].contains(&name);
        let html = short(state).to_html(&SETTING);
        let elements = elements(&html);
        let details = TEXTS[0].transfer;
        let numbers: Vec<_> = elements
            .iter()
            .filter(|e| e.has_class("copyable"))
            .collect();
        let expected: &[&str] = if can_be_paid {
            &[
                details.account_number,
                details.payment_reference,
                details.account_number,
                details.payment_reference,
            ]
        } else {
            &[]
        };
        let shown: Vec<_> = numbers.iter().map(|number| number.text.as_str()).collect();
        assert_eq!(shown, expected, "{name}");
        for text in [
            details.bank,
            details.account_name,
            "/pay/abc",
            "28 November 2026",
        ] {
            assert_eq!(html.contains(text), can_be_paid, "{name}: {text}");
        }
    }
}

#[test]
fn each_amount_is_shown_once_and_again_only_in_the_step_that_transfers_it() {
    for (name, state, expected) in [
        ("open", PageState::Open, [2, 0, 0]),
        ("paid", PageState::Paid, [1, 0, 0]),
        (
            "part",
            PageState::Part {
                paid: "15,000.00",
                missing: "12,000.00",
            },
            [1, 1, 2],
        ),
        (
            "overpaid",
            PageState::Overpaid {
                paid: "15,000.00",
                excess: "12,000.00",
            },
            [1, 1, 1],
        ),
        (
            "expired",
            PageState::Expired {
                paid: Some("15,000.00"),
            },
            [1, 1, 0],
        ),
    ] {
        let html = short(state).to_html(&SETTING);
        let shown = ["27,000.00", "15,000.00", "12,000.00"].map(|text| html.matches(text).count());
        assert_eq!(shown, expected, "{name}");
    }
}

#[test]
fn only_a_test_page_has_a_form_and_it_has_one_in_every_state() {
    for (name, state) in samples::states(&TEXTS[0]) {
        for is_test in [false, true] {
            let page = CheckoutPage {
                is_test,
                ..short(state)
            };
            let elements = elements(&page.to_html(&SETTING));
            let forms: Vec<_> = named(&elements, "form").collect();
            let buttons: Vec<_> = named(&elements, "button").collect();
            if !is_test {
                assert!(forms.is_empty() && buttons.is_empty(), "{name}");
                continue;
            }
            assert_eq!(forms.len(), 1, "{name}");
            assert_eq!(forms[0].attribute("method"), Some("post"));
            assert_eq!(forms[0].attribute("action"), Some("/pay/abc"));
            let sent: Vec<_> = buttons
                .iter()
                .map(|button| (button.attribute("name"), button.attribute("value")))
                .collect();
            let pay = ["exact-0", "less-0", "more-0"].map(|value| (Some("pay"), Some(value)));
            assert_eq!(sent, pay, "{name}");
            let banner = elements.iter().filter(|e| e.has_class("test-banner"));
            assert_eq!(banner.count(), 1, "{name}");
        }
    }
}

#[test]
fn only_an_https_address_is_returned_to() {
    for (address, expected) in [
        (Some("https://shop.example/?a=1&b=\""), 1),
        (Some("http://shop.example/"), 0),
        (Some("javascript:alert(1)"), 0),
        (Some("/\\shop.example"), 0),
        (None, 0),
    ] {
        let page = CheckoutPage {
            return_to: address,
            ..short(PageState::Paid)
        };
        let elements = elements(&page.to_html(&SETTING));
        let links: Vec<_> = named(&elements, "a").collect();
        assert_eq!(links.len(), expected, "{address:?}");
        for link in links {
            assert_eq!(link.attribute("href"), address);
            assert_eq!(link.attribute("rel"), Some("noreferrer"));
        }
    }
}

#[test]
fn every_text_is_shown_on_some_page() {
    let marked: Texts = EN.map(|name, text| format!("[{name}] {text}").leak());
    let setting = PageSetting {
        texts: &marked,
        ..SETTING
    };
    let views = samples::views(&setting);
    for (name, text) in EN.entries() {
        assert!(!text.trim().is_empty(), "{name}");
        let mark = format!("[{name}] ");
        assert!(
            views.iter().any(|view| view.html.contains(&mark)),
            "{name} is not shown"
        );
    }
}
