//! Every page with sample values: the states, each with short, long and hostile texts, live and as
//! a test. It must not leave out a state: what is not here is not seen by any test.

use checkout_pages::{
    CheckoutItem, CheckoutPage, PageSetting, PageState, TransferDetails, not_found,
    too_many_requests, unavailable,
};

/// One page.
#[derive(Debug)]
pub(crate) struct SampleView {
    /// `STATE.TEXTS.ACCOUNT`, or what the page is.
    pub(crate) name: String,
    pub(crate) html: String,
}

/// The values that are the same in every state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SampleTexts {
    pub(crate) name: &'static str,
    pub(crate) merchant: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) customer: Option<&'static str>,
    pub(crate) items: &'static [CheckoutItem<'static>],
    pub(crate) amount: &'static str,
    pub(crate) less: &'static str,
    pub(crate) missing: &'static str,
    pub(crate) more: &'static str,
    pub(crate) transfer: TransferDetails<'static>,
    pub(crate) expires: Option<&'static str>,
    pub(crate) return_to: Option<&'static str>,
}

const SHORT: SampleTexts = SampleTexts {
    name: "short",
    merchant: "Adire Lane",
    reference: "AL-10482",
    customer: Some("Ngozi Eze"),
    items: &[
        CheckoutItem {
            name: "Indigo wrap dress",
            quantity: "1",
            amount: "18,500.00",
        },
        CheckoutItem {
            name: "Cotton head tie",
            quantity: "2",
            amount: "6,000.00",
        },
        CheckoutItem {
            name: "Delivery to Ibadan",
            quantity: "1",
            amount: "2,500.00",
        },
    ],
    amount: "27,000.00",
    less: "15,000.00",
    missing: "12,000.00",
    more: "39,000.00",
    transfer: TransferDetails {
        bank: "Wema Bank",
        account_number: "0123456789",
        account_name: "Manilla / Adire Lane",
        payment_reference: "204718853016",
    },
    expires: Some("14:30 WAT on 28 November 2026"),
    return_to: Some("https://shop.example/orders/10482?signature=abc"),
};

const LONG_WORD: &str = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten";

const LONG: SampleTexts = SampleTexts {
    name: "long",
    merchant: "The Incorporated Trustees of the Cooperative Society of Traders in Textiles, \
        Household Goods and Electrical Appliances of Balogun Market, Lagos Island",
    reference: "2026-11-28T09:30:00+01:00/balogun-market/cooperative/order/000000000000000000104",
    customer: Some(LONG_WORD),
    items: &[
        CheckoutItem {
            name: LONG_WORD,
            quantity: "1,000,000",
            amount: "123,456,789,012.00",
        },
        CheckoutItem {
            name: "Generator of 5.5 kVA with an automatic changeover switch, a set of spare \
                filters, and installation on two floors",
            quantity: "12",
            amount: "876,543,210,987.99",
        },
    ],
    amount: "999,999,999,999.99",
    less: "111,111,111,111.11",
    missing: "888,888,888,888.88",
    more: "1,888,888,888,888.87",
    transfer: TransferDetails {
        bank: "Accion Microfinance Bank of the Federal Republic of Nigeria Limited",
        account_number: "01234567890123456789012345678901",
        account_name: "MANILLA COLLECTIONS / THE INCORPORATED TRUSTEES OF THE COOPERATIVE SOCIETY",
        payment_reference: "MNL-2026-204718853016-204718853016-204718853016",
    },
    expires: Some("23:59:59 West Africa Standard Time (UTC+01:00) on Saturday, 28 November 2026"),
    return_to: Some("https://shop.example/"),
};

const HOSTILE_NAME: &str = "</title></bdi><script>alert(1)</script>\"' onload=alert(1) \
    <img src=x onerror=alert(1)>\u{2069}\u{202e}\u{5d0}\u{5d1}\u{627}&lt;&#60;\0\u{1f9f5}";

const HOSTILE: SampleTexts = SampleTexts {
    name: "hostile",
    merchant: HOSTILE_NAME,
    reference: HOSTILE_NAME,
    customer: Some(HOSTILE_NAME),
    items: &[CheckoutItem {
        name: HOSTILE_NAME,
        quantity: HOSTILE_NAME,
        amount: "0.02",
    }],
    amount: "0.02",
    less: "0.01",
    missing: "0.01",
    more: "0.03",
    transfer: TransferDetails {
        bank: HOSTILE_NAME,
        account_number: HOSTILE_NAME,
        account_name: HOSTILE_NAME,
        payment_reference: HOSTILE_NAME,
    },
    expires: None,
    return_to: Some("https://shop.example/\"><script>alert(1)</script>"),
};

pub(crate) const TEXTS: [SampleTexts; 3] = [SHORT, LONG, HOSTILE];

/// The states by name, with and without what arrived before their end.
pub(crate) fn states(texts: &SampleTexts) -> [(&'static str, PageState<'static>); 8] {
    let paid = Some(texts.less);
    [
        ("open", PageState::Open),
        (
            "part",
            PageState::Part {
                paid: texts.less,
                missing: texts.missing,
            },
        ),
        ("paid", PageState::Paid),
        (
            "overpaid",
            PageState::Overpaid {
                paid: texts.more,
                excess: texts.missing,
            },
        ),
        ("expired", PageState::Expired { paid: None }),
        ("expired-part", PageState::Expired { paid }),
        ("cancelled", PageState::Cancelled { paid: None }),
        ("cancelled-part", PageState::Cancelled { paid }),
    ]
}

/// A page with these texts in this state, as a live one.
pub(crate) fn page<'a>(
    texts: &'a SampleTexts,
    state: PageState<'a>,
    self_path: &'a str,
) -> CheckoutPage<'a> {
    CheckoutPage {
        self_path,
        merchant: texts.merchant,
        is_test: false,
        payments: 0,
        reference: texts.reference,
        customer: texts.customer,
        items: texts.items,
        amount: texts.amount,
        currency: "NGN",
        state,
        transfer: Some(texts.transfer),
        expires: texts.expires,
        return_to: texts.return_to,
    }
}

/// Every page there is.
pub(crate) fn views(setting: &PageSetting<'_>) -> Vec<SampleView> {
    let mut views = Vec::new();
    for texts in &TEXTS {
        for (state_name, state) in states(texts) {
            for (account, is_test) in [("live", false), ("test", true)] {
                let name = format!("{state_name}.{}.{account}", texts.name);
                let path = format!("/{name}.html");
                let page = CheckoutPage {
                    is_test,
                    ..page(texts, state, &path)
                };
                let html = page.to_html(setting);
                views.push(SampleView { name, html });
            }
        }
    }
    let bare = CheckoutPage {
        customer: None,
        items: &[],
        transfer: None,
        expires: None,
        return_to: None,
        ..page(&SHORT, PageState::Open, "/bare.html")
    };
    let others = [
        ("bare", bare.to_html(setting)),
        ("not-found", not_found(setting)),
        ("unavailable", unavailable(setting)),
        ("too-many-requests", too_many_requests(setting)),
    ];
    views.extend(others.map(|(name, html)| SampleView {
        name: name.to_owned(),
        html,
    }));
    views
}
