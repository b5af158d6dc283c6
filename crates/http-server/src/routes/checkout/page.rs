//! `GET /checkout/pay/:name`: what the customer of a session sees, without credentials: who has the
//! address has the page. `POST` pays a session of a test account from the sandbox.

use crate::app::App;
use crate::file::File;
use crate::layers::body::{self, Body};
use crate::reply::HttpReply;
use crate::routes::documentation::serve;
use crate::routes::verb::Verb;
use application::collections::{CHECKOUT_PAGES, CheckoutSession, CollectionError};
use bytes::Bytes;
use checkout_pages::{
    CONTENT_SECURITY_POLICY as POLICY, CheckoutItem, CheckoutPage, EN, PageSetting, PageState,
    TransferDetails, stylesheet,
};
use domain::collection::{CheckoutStatus, CollectionState, SaleItem};
use domain::environment::Environment;
use domain::money::{Currency, Money};
use domain::time::Timestamp;
use http::header::{ALLOW, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION, RETRY_AFTER};
use http::{HeaderMap, Method, Request, StatusCode};
use wire::zone::Zone;

/// The path of the style sheet of every page.
const STYLE: &str = "/checkout/page.css";

/// How a page is named in logs: its own name opens it.
const LISTED: &str = "/checkout/pay/:name";

/// Most bytes of the form that pays from the sandbox: one word and a number.
const FORM_BYTES_MAX: usize = 256;

/// After how many seconds a page that was turned away may be loaded again.
const AGAIN_AFTER: HeaderValue = HeaderValue::from_static("5");

/// Addresses in pages are relative, so that they work under the prefix of a proxy too.
const SETTING: PageSetting<'static> = PageSetting {
    stylesheet_path: "../page.css",
    texts: &EN,
};

/// What is at a path of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PagePath<'a> {
    /// The style sheet.
    Style,
    /// The page of a name.
    Named(&'a str),
}

impl<'a> PagePath<'a> {
    /// What is at a path; `None` where it is none of a page.
    pub(crate) fn of(path: &'a str) -> Option<Self> {
        if path == STYLE {
            return Some(Self::Style);
        }
        path.strip_prefix(CHECKOUT_PAGES).map(Self::Named)
    }

    /// Its word in logs.
    pub(crate) const fn listed(self) -> &'static str {
        match self {
            Self::Style => STYLE,
            Self::Named(_) => LISTED,
        }
    }
}

/// Answers a request at a path of the pages.
pub(crate) async fn handle(app: &App, request: Request<Body>) -> HttpReply {
    let (head, body) = request.into_parts();
    let Some(path) = PagePath::of(head.uri.path()) else {
        return not_found();
    };
    let reads = Verb::Get.answers(&head.method);
    let name = match path {
        PagePath::Style if reads => {
            body::discard(&head.headers, body).await;
            let css = stylesheet().as_bytes();
            return serve(File::plain("text/css; charset=utf-8", css));
        }
        PagePath::Named(name) if reads || head.method == Method::POST => name,
        PagePath::Style | PagePath::Named(_) => {
            body::discard(&head.headers, body).await;
            return other_verb(path);
        }
    };
    let answered = answer(app, name, (reads, &head.headers, body)).await;
    answered.unwrap_or_else(|failed| {
        tracing::error!(%failed, "a checkout page cannot be shown");
        unavailable()
    })
}

async fn answer(
    app: &App,
    name: &str,
    (reads, headers, mut sent): (bool, &HeaderMap, Body),
) -> Result<HttpReply, CollectionError> {
    let gateway = &app.gateway;
    let payee = gateway.payee_of_page(name);
    let is_admitted = payee
        .as_ref()
        .is_some_and(|payee| app.pages.admits(payee.as_str(), gateway.uptime()));
    let wish = if reads || !is_admitted {
        body::discard(headers, sent).await;
        None
    } else {
        let read = (&mut sent, app.body_timeout);
        let form = body::read_up_to(FORM_BYTES_MAX, headers, read).await;
        form.ok().as_deref().and_then(Wish::of)
    };
    if payee.is_none() {
        return Ok(not_found());
    }
    if !is_admitted {
        return Ok(too_many());
    }
    let Some(_permit) = app.pages.permit() else {
        return Ok(unavailable());
    };
    let Some(session) = gateway.checkout_page(name).await? else {
        return Ok(not_found());
    };
    match wish {
        Some(wish) => pay(app, &session, (name, wish)).await,
        None if reads => Ok(shown(&session, name, gateway.now())),
        None => Ok(bad_form()),
    }
}

/// Pays from the sandbox and leads back to the page, so that loading it again pays nothing.
async fn pay(
    app: &App,
    page: &CheckoutSession,
    (name, wish): (&str, Wish),
) -> Result<HttpReply, CollectionError> {
    let Some(amount) = wish.amount(&page.state) else {
        return Ok(not_found());
    };
    // What was paid since the page was shown is shown first.
    let is_shown = wish.seen == page.state.paid.count;
    if !is_shown {
        return Ok(led_back(name));
    }
    match app.gateway.pay_on_page(page, (amount, wish.seen)).await {
        Ok(_) => Ok(led_back(name)),
        Err(CollectionError::NotSimulated) => Ok(not_found()),
        Err(refused) => {
            tracing::warn!(%refused, "a payment on a checkout page was not credited");
            Ok(unavailable())
        }
    }
}

fn led_back(name: &str) -> HttpReply {
    let reply = HttpReply::html(StatusCode::SEE_OTHER, Bytes::new());
    match HeaderValue::from_str(name) {
        Ok(name) => reply.with_header(LOCATION, name),
        // The name of a page is of digits and letters.
        Err(_) => reply,
    }
}

/// What the form of a test page asks to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wish {
    how: HowMuch,
    /// How many payments the page showed.
    seen: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HowMuch {
    Exact,
    Less,
    More,
}

impl Wish {
    fn of(form: &[u8]) -> Option<Self> {
        let form = str::from_utf8(form).ok()?;
        let (how, seen) = form.strip_prefix("pay=")?.split_once('-')?;
        let how = match how {
            "exact" => HowMuch::Exact,
            "less" => HowMuch::Less,
            "more" => HowMuch::More,
            _ => return None,
        };
        let seen = seen.parse().ok()?;
        Some(Self { how, seen })
    }

    /// How much that is: of what is due, or of the whole where all is paid.
    fn amount(self, state: &CollectionState) -> Option<Money> {
        let whole = state.collection.amount?;
        let due = state.due().filter(|due| due.is_positive()).unwrap_or(whole);
        let minor = match self.how {
            HowMuch::Exact => due.minor(),
            HowMuch::Less => due.minor().checked_div(2)?.max(1),
            HowMuch::More => due
                .minor()
                .checked_add(due.minor().checked_div(2)?.max(1))?,
        };
        Some(Money::from_minor(minor, due.currency()))
    }
}

fn shown(page: &CheckoutSession, name: &str, now: Timestamp) -> HttpReply {
    let collection = &page.state.collection;
    let Some((payable, items)) = page.sale() else {
        return not_found();
    };
    let texts = PageTexts::of(page);
    let lines: Vec<_> = items.iter().map(line).collect();
    let items: Vec<_> = lines.iter().map(shown_line).collect();
    let transfer = page.receiving.as_ref().map(|receiving| TransferDetails {
        bank: receiving.bank.as_str(),
        account_number: receiving.number.digits(),
        account_name: receiving.name.as_str(),
        payment_reference: payable.as_str(),
    });
    let view = CheckoutPage {
        self_path: name,
        merchant: page.account.name.as_str(),
        is_test: page.account.environment == Environment::Test,
        payments: page.state.paid.count,
        reference: collection.reference.as_str(),
        customer: page.customer(),
        items: &items,
        amount: &texts.amount,
        currency: Currency::Ngn.code(),
        state: texts.state(page.state.checkout_status(now)),
        transfer,
        expires: texts.expires.as_deref(),
        return_to: page.back.as_deref(),
    };
    html(StatusCode::OK, view.to_html(&SETTING))
}

/// What is sold, how many, and what all of it costs, as it is written.
type Line<'a> = (&'a str, String, String);

fn line(item: &SaleItem) -> Line<'_> {
    let total = item.total().unwrap_or(item.amount);
    (
        item.name.as_str(),
        item.quantity.to_string(),
        total.to_string(),
    )
}

fn shown_line<'a>((name, quantity, amount): &'a Line<'_>) -> CheckoutItem<'a> {
    CheckoutItem {
        name,
        quantity,
        amount,
    }
}

/// The amounts and moments of a page as they are written.
struct PageTexts {
    amount: String,
    paid: Option<String>,
    missing: String,
    excess: Option<String>,
    expires: Option<String>,
}

impl PageTexts {
    fn of(page: &CheckoutSession) -> Self {
        let (state, account) = (&page.state, &page.account);
        let zone = Zone::for_account(account);
        let ends = state.collection.expires_at;
        let written = |money: Option<Money>| money.map(|it| it.to_string());
        let excess = state.difference().filter(|it| it.is_positive());
        Self {
            amount: written(state.collection.amount).unwrap_or_default(),
            paid: written(Some(state.paid.total).filter(|it| it.is_positive())),
            missing: written(state.due()).unwrap_or_default(),
            excess: written(excess),
            expires: ends.map(|it| format!("{} ({})", zone.date_time(it), account.time_zone)),
        }
    }

    fn state(&self, status: CheckoutStatus) -> PageState<'_> {
        let paid = self.paid.as_deref();
        match (status, paid) {
            (CheckoutStatus::Open, None) => PageState::Open,
            (CheckoutStatus::Open, Some(paid)) => PageState::Part {
                paid,
                missing: &self.missing,
            },
            (CheckoutStatus::Paid, _) => match (paid, self.excess.as_deref()) {
                (Some(paid), Some(excess)) => PageState::Overpaid { paid, excess },
                (Some(_) | None, None) | (None, Some(_)) => PageState::Paid,
            },
            (CheckoutStatus::Expired, paid) => PageState::Expired { paid },
            (CheckoutStatus::Cancelled, paid) => PageState::Cancelled { paid },
        }
    }
}

fn html(status: StatusCode, page: String) -> HttpReply {
    HttpReply::html(status, page.into())
        .with_header(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
}

fn not_found() -> HttpReply {
    html(StatusCode::NOT_FOUND, checkout_pages::not_found(&SETTING))
}

fn bad_form() -> HttpReply {
    html(StatusCode::BAD_REQUEST, checkout_pages::not_found(&SETTING))
}

fn too_many() -> HttpReply {
    let page = checkout_pages::too_many_requests(&SETTING);
    html(StatusCode::TOO_MANY_REQUESTS, page).with_header(RETRY_AFTER, AGAIN_AFTER)
}

fn unavailable() -> HttpReply {
    let page = checkout_pages::unavailable(&SETTING);
    html(StatusCode::SERVICE_UNAVAILABLE, page).with_header(RETRY_AFTER, AGAIN_AFTER)
}

fn other_verb(path: PagePath<'_>) -> HttpReply {
    let allowed = match path {
        PagePath::Style => "GET, HEAD",
        PagePath::Named(_) => "GET, HEAD, POST",
    };
    html(
        StatusCode::METHOD_NOT_ALLOWED,
        checkout_pages::not_found(&SETTING),
    )
    .with_header(ALLOW, HeaderValue::from_static(allowed))
}

#[cfg(test)]
mod tests;
