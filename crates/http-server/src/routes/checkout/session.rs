//! `/checkout/session` and `POST /checkout/cancel`. They must leave it to what was credited whether
//! a session is paid.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::batches::PageOf;
use application::collections::{
    CheckoutLinks, CollectedPayments, CollectionError, CollectionName, CollectionSort,
    SeenCollection,
};
use domain::collection::{CheckoutTerms, CollectedPayment, CollectionKind, CollectionState};
use domain::statement::Sort;
use domain::time::Timestamp;
use http::StatusCode;
use wire::checkout::{self, ShownCheckout};
use wire::transaction::parse_reference;
use wire::tree::Object;

pub(super) async fn open(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let shown_with = ShownWith::of(&gateway, &call);
    let wanted = checkout::parse(&call.attributes, call.handling, &shown_with.zone)?;
    let opened = gateway.collect(&call.merchant, wanted, call.retry_key());
    let opened = opened.await?;
    let session = Session::of(&gateway, &opened.state)?;
    let context = shown_with.context(&gateway);
    let fields = checkout::view_opened(session.shown(), &session.links.secret, context);
    let said = (
        StatusCode::CREATED,
        "The session is open; send your customer to chkUrl.",
    );
    let reply = tagged(said, fields, &opened.state);
    let reply = reply.located(&checkout::path(&opened.state.collection.reference));
    Ok(reply.marked(opened.replay))
}

pub(super) async fn list(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let paging = checkout::parse_list(&call.attributes, call.handling)?;
    let page = collection::page_of(&paging);
    let found = gateway.collections(&call.merchant, CollectionSort::Checkout, page);
    let found = found.await?;
    let sessions = found.collections.iter();
    let sessions: Result<Vec<_>, CollectionError> =
        sessions.map(|state| Session::of(&gateway, state)).collect();
    let sessions = sessions?;
    let shown: Vec<_> = sessions.iter().map(Session::shown).collect();
    let shown_with = ShownWith::of(&gateway, &call);
    let of = (&paging, found.total);
    let fields = checkout::view(&shown, of, shown_with.context(&gateway));
    let reply = HttpReply::success(StatusCode::OK, "The checkout sessions.", fields);
    Ok(collection::part(
        reply,
        found.total,
        &checkout::link_header(of),
    ))
}

pub(super) async fn report(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let reference = parse_reference(&call.attributes, call.handling)?;
    let name = CollectionName::Reference(&reference);
    let found = gateway.collection(&call.merchant, name, CollectionSort::Checkout);
    let found = found.await?;
    let last = last_payment(&gateway, &call, &found).await?;
    let session = Session::of(&gateway, &found)?;
    let shown_with = ShownWith::of(&gateway, &call);
    let context = shown_with.context(&gateway);
    let fields = checkout::view_report(session.shown(), last.as_ref(), context);
    Ok(tagged(
        (StatusCode::OK, "The checkout session."),
        fields,
        &found,
    ))
}

pub(super) async fn cancel(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let (reference, stated) = checkout::parse_cancel(&call.attributes, call.handling)?;
    let seen = SeenCollection {
        stated,
        only_in: call.only_in.clone(),
    };
    let cancelled = gateway.cancel_checkout(&call.merchant, &reference, &seen);
    let cancelled = cancelled.await?;
    let session = Session::of(&gateway, &cancelled)?;
    let shown_with = ShownWith::of(&gateway, &call);
    let fields = checkout::view_one(session.shown(), shown_with.context(&gateway));
    let said = "The session is cancelled; what arrives is credited still.";
    Ok(tagged((StatusCode::OK, said), fields, &cancelled))
}

/// Who paid last, where someone paid.
async fn last_payment(
    gateway: &Gateway,
    call: &AuthenticatedRequest,
    state: &CollectionState,
) -> Result<Option<CollectedPayment>, HttpReply> {
    let wanted = CollectedPayments {
        collection: Some(state.collection.number),
        from: Timestamp::from_millis(0),
        to: Timestamp::from_millis(i64::MAX),
    };
    let page = PageOf {
        offset: 0,
        length: 1,
        sort: Sort::Descending,
    };
    let found = gateway.collected_payments(&call.merchant, wanted, page);
    Ok(found.await?.payments.into_iter().next())
}

/// A session with what leads to it.
struct Session<'a> {
    state: &'a CollectionState,
    terms: &'a CheckoutTerms,
    links: CheckoutLinks,
}

impl<'a> Session<'a> {
    fn of(gateway: &Gateway, state: &'a CollectionState) -> Result<Self, CollectionError> {
        match &state.collection.kind {
            CollectionKind::Checkout(terms) => Ok(Self {
                state,
                terms,
                links: gateway.checkout_links(&state.collection),
            }),
            CollectionKind::Account(_)
            | CollectionKind::Invoice { .. }
            | CollectionKind::Bill(_) => Err(CollectionError::Unknown),
        }
    }

    fn shown(&self) -> ShownCheckout<'_> {
        ShownCheckout {
            state: self.state,
            terms: self.terms,
            page: &self.links.page,
        }
    }
}

/// An answer that shows a session, with its version for `If-Match`.
fn tagged(
    (status, message): (StatusCode, &'static str),
    fields: Object,
    state: &CollectionState,
) -> HttpReply {
    let reply = HttpReply::success(status, message, fields);
    reply.in_version(state.collection.version)
}
