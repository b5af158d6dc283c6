//! The page of an order: which parts it has in which state. It must not decide what an order is
//! worth or whether it is paid.

use maud::{Markup, html};

use crate::icon::{Tone, icon};
use crate::layout::{PageFrame, layout};
use crate::parts::{is_long, items, money, return_link, test_banner, test_panel};
use crate::phrase::{phrase, plain_phrase};
use crate::transfer::payment;
use crate::untrusted::{isolated, isolated_plain};
use crate::{CheckoutPage, PageSetting, PageState, Texts};

/// How a state is shown.
#[derive(Debug)]
struct StateView<'a> {
    tone: Tone,
    heading: &'a str,
    note: &'a str,
    /// The large amount and what it is.
    amount: (&'a str, &'a str),
    /// Further amounts and what they are.
    sums: Vec<(&'a str, &'a str)>,
}

pub(crate) fn page(page: &CheckoutPage<'_>, setting: &PageSetting<'_>) -> Markup {
    let texts = setting.texts;
    let view = state_view(page, texts);
    let title = [
        ("state", view.heading.to_owned()),
        ("merchant", isolated_plain(page.merchant)),
    ];
    let frame = PageFrame {
        title: plain_phrase(texts.title, &title),
        banner: page.is_test.then(|| test_banner(texts)),
        header: Some(header(page, texts)),
        main: html! {
            (amounts(page, &view, texts))
            (status(page, &view))
            @if let Some(payable) = payable(page) {
                (payment(page, payable, texts))
                (items(page, texts))
                (return_link(page, texts))
            } @else {
                (return_link(page, texts))
                (items(page, texts))
            }
            @if page.is_test { (test_panel(page, texts)) }
        },
    };
    layout(setting, &frame)
}

/// What is still to be paid, while an order can be paid.
fn payable<'a>(page: &CheckoutPage<'a>) -> Option<&'a str> {
    match page.state {
        PageState::Open => Some(page.amount),
        PageState::Part { missing, .. } => Some(missing),
        PageState::Paid
        | PageState::Overpaid { .. }
        | PageState::Expired { .. }
        | PageState::Cancelled { .. } => None,
    }
}

fn state_view<'a>(page: &CheckoutPage<'a>, texts: &'a Texts) -> StateView<'a> {
    let view = |tone, heading, note, label| StateView {
        tone,
        heading,
        note,
        amount: (label, page.amount),
        sums: Vec::new(),
    };
    let of_order = texts.amount_of_order;
    match page.state {
        PageState::Open => view(
            Tone::Waiting,
            texts.open,
            texts.open_note,
            texts.amount_to_pay,
        ),
        PageState::Part { paid, missing } => StateView {
            amount: (texts.amount_missing, missing),
            sums: vec![(texts.order_total, page.amount), (texts.arrived, paid)],
            ..view(Tone::Attention, texts.part, texts.part_note, "")
        },
        PageState::Paid => view(Tone::Done, texts.paid, texts.paid_note, texts.amount_paid),
        PageState::Overpaid { paid, excess } => StateView {
            sums: vec![(texts.arrived, paid), (texts.excess, excess)],
            ..view(Tone::Done, texts.overpaid, texts.overpaid_note, of_order)
        },
        PageState::Expired { paid } => {
            let note = match paid {
                Some(_) => texts.expired_part_note,
                None => texts.expired_note,
            };
            StateView {
                sums: paid.map(|paid| (texts.arrived, paid)).into_iter().collect(),
                ..view(Tone::Ended, texts.expired, note, of_order)
            }
        }
        PageState::Cancelled { paid } => {
            let note = match paid {
                Some(_) => texts.cancelled_part_note,
                None => texts.cancelled_note,
            };
            StateView {
                sums: paid.map(|paid| (texts.arrived, paid)).into_iter().collect(),
                ..view(Tone::Ended, texts.cancelled, note, of_order)
            }
        }
    }
}

fn header(page: &CheckoutPage<'_>, texts: &Texts) -> Markup {
    let reference = [("reference", isolated(page.reference))];
    html! {
        div.merchant {
            p.name { (isolated(page.merchant)) }
            p.order { (phrase(texts.order_reference, &reference)) }
            @if let Some(customer) = page.customer {
                p.order { (phrase(texts.customer, &[("customer", isolated(customer))])) }
            }
        }
    }
}

fn amounts(page: &CheckoutPage<'_>, view: &StateView<'_>, texts: &Texts) -> Markup {
    let (label, amount) = view.amount;
    html! {
        div.amounts {
            p.label { (label) }
            p.amount.long[is_long(amount)] { (money(page, amount, texts)) }
            @if !view.sums.is_empty() {
                dl.sums {
                    @for (label, amount) in &view.sums {
                        div { dt { (label) } dd { (money(page, amount, texts)) } }
                    }
                }
            }
        }
    }
}

fn status(page: &CheckoutPage<'_>, view: &StateView<'_>) -> Markup {
    let merchant = [("merchant", isolated(page.merchant))];
    html! {
        div.state.(view.tone.class()) {
            (icon(view.tone))
            h1 { (view.heading) }
            p role="status" { (phrase(view.note, &merchant)) }
        }
    }
}
