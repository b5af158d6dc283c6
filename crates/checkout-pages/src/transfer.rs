//! How to pay an order that can be paid: the account, the steps, and what happens to another
//! amount. It must not insert a space into a number that customers copy.

use maud::{Markup, html};

use crate::parts::money;
use crate::phrase::phrase;
use crate::untrusted::{copyable, isolated};
use crate::{CheckoutPage, Texts, TransferDetails};

/// Everything between the state and the order, where `payable` is still to be paid.
pub(crate) fn payment(page: &CheckoutPage<'_>, payable: &str, texts: &Texts) -> Markup {
    html! {
        @if let Some(time) = page.expires {
            p.expires { (phrase(texts.expires, &[("time", isolated(time))])) }
        }
        @match &page.transfer {
            Some(details) => {
                (account(details, texts))
                (steps(page, details, payable, texts))
                div.check {
                    a.button.primary href=(page.self_path) { (texts.check) }
                    p.hint { (texts.check_note) }
                }
                (other_amount(page, texts))
            }
            None => {
                p { (phrase(texts.transfer_not_ready, &[("merchant", isolated(page.merchant))])) }
                div.check { a.button.primary href=(page.self_path) { (texts.load_again) } }
            }
        }
    }
}

fn account(details: &TransferDetails<'_>, texts: &Texts) -> Markup {
    html! {
        section.account aria-labelledby="account" {
            h2 #account { (texts.transfer) }
            dl {
                div { dt { (texts.bank) } dd { (isolated(details.bank)) } }
                div {
                    dt { (texts.account_number) }
                    dd.number { (copyable(details.account_number)) }
                }
                div { dt { (texts.account_name) } dd { (isolated(details.account_name)) } }
                div {
                    dt { (texts.payment_reference) }
                    dd.number { (copyable(details.payment_reference)) }
                    dd.hint { (texts.payment_reference_note) }
                }
            }
        }
    }
}

fn steps(
    page: &CheckoutPage<'_>,
    details: &TransferDetails<'_>,
    payable: &str,
    texts: &Texts,
) -> Markup {
    let transfer = [
        ("amount", html! { b { (money(page, payable, texts)) } }),
        (
            "account_number",
            html! { b { (copyable(details.account_number)) } },
        ),
    ];
    let narration = [(
        "payment_reference",
        html! { b { (copyable(details.payment_reference)) } },
    )];
    html! {
        section.steps aria-labelledby="steps" {
            h2 #steps { (texts.steps) }
            ol {
                li { (texts.step_open) }
                li { (phrase(texts.step_transfer, &transfer)) }
                li { (phrase(texts.step_narration, &narration)) }
                li { (texts.step_return) }
            }
        }
    }
}

fn other_amount(page: &CheckoutPage<'_>, texts: &Texts) -> Markup {
    let merchant = [("merchant", isolated(page.merchant))];
    html! {
        section.other-amount aria-labelledby="other-amount" {
            h2 #other-amount { (texts.other_amount) }
            ul {
                li { (phrase(texts.other_amount_less, &merchant)) }
                li { (phrase(texts.other_amount_more, &merchant)) }
            }
        }
    }
}
