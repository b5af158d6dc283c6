//! Texts of others change nothing but themselves, whatever they are. These tests must not know how
//! a page escapes.

mod document;

use checkout_pages::{CheckoutItem, CheckoutPage, EN, PageSetting, PageState, TransferDetails};
use document::elements;
use proptest::prelude::*;

/// The elements of a page in order, with their attributes but the addresses, and without the groups
/// of a number, which depend on how long it is.
fn structure(html: &str) -> Vec<String> {
    let elements = elements(html).into_iter();
    let counted = elements.filter(|element| !element.has_class("group"));
    counted
        .map(|mut element| {
            for address in ["href", "action"] {
                element.attributes.remove(address);
            }
            let within = element.within.join(">");
            format!("{within}>{} {:?}", element.name, element.attributes)
        })
        .collect()
}

/// A test page in which each text of others is this one.
fn page(text: &str, state: PageState<'_>, address: &str, path: &str) -> String {
    let item = CheckoutItem {
        name: text,
        quantity: text,
        amount: "1.00",
    };
    let page = CheckoutPage {
        self_path: path,
        merchant: text,
        is_test: true,
        payments: 0,
        reference: text,
        customer: Some(text),
        items: &[item, item],
        amount: "2.00",
        currency: "NGN",
        state,
        transfer: Some(TransferDetails {
            bank: text,
            account_number: text,
            account_name: text,
            payment_reference: text,
        }),
        expires: Some(text),
        return_to: Some(address),
    };
    let setting = PageSetting {
        stylesheet_path: "/checkout.css",
        texts: &EN,
    };
    page.to_html(&setting)
}

fn states() -> impl Strategy<Value = PageState<'static>> {
    let paid = Some("1.00");
    prop_oneof![
        Just(PageState::Open),
        Just(PageState::Part {
            paid: "1.00",
            missing: "1.00"
        }),
        Just(PageState::Paid),
        Just(PageState::Overpaid {
            paid: "3.00",
            excess: "1.00"
        }),
        Just(PageState::Expired { paid }),
        Just(PageState::Cancelled { paid: None }),
    ]
}

/// Pieces of markup, characters that turn the direction, and anything at all.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[<>\"'&;=/!-]{1,4}",
        "</?(title|bdi|p|td|script|style|svg|plaintext|textarea|math)[ />]",
        "[\u{202a}-\u{202e}\u{2066}-\u{2069}\u{200e}\u{200f}\u{61c}]",
        "&(#x?[0-9a-f]{1,6}|lt|amp|quot);?",
        " on(load|error|click)=alert\\(1\\)",
        "\\{(merchant|amount|state)\\}",
        "<!--|-->|<!\\[CDATA\\[|\\]\\]>",
        "[\0-\x1f\x7f-\u{9f}\u{fffe}\u{10ffff}]",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// What is shown of a text: all of it but what turns the direction, and spaces for controls.
fn shown(text: &str) -> String {
    let turns = |c: &char| !"\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}".contains(*c);
    let isolates = |c: &char| !"\u{2066}\u{2067}\u{2068}\u{2069}".contains(*c);
    let kept = text.chars().filter(turns).filter(isolates);
    kept.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

proptest! {
    #[test]
    fn a_text_of_others_changes_only_itself(text in hostile(), state in states()) {
        let html = page(&text, state, "https://shop.example/", "/x");
        let plain = page("x", state, "https://shop.example/", "/x");
        prop_assert_eq!(structure(&html), structure(&plain));

        let elements = elements(&html);
        let isolated: Vec<_> = elements.iter().filter(|e| e.name == "bdi").collect();
        prop_assert!(isolated.len() >= 5);
        for element in isolated {
            prop_assert_eq!(&element.text, &shown(&text));
        }
        let title = elements.iter().find(|e| e.name == "title").unwrap();
        let isolated = format!("\u{2068}{}\u{2069}", shown(&text));
        prop_assert!(title.text.contains(&isolated), "{}", title.text);
    }

    #[test]
    fn an_address_stays_what_it_is(text in "\\PC{0,40}", state in states()) {
        let address = format!("https://shop.example/{text}");
        let path = format!("/{text}");
        let elements = elements(&page("x", state, &address, &path));
        let links = elements.iter().filter(|e| e.name == "a" || e.name == "form");
        for link in links {
            let found = link.attribute("href").or(link.attribute("action")).unwrap();
            prop_assert!(found == address || found == path, "{found}");
        }
    }
}
