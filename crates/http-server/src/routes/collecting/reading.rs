//! Collections of a kind, listed and shown. How much was paid must be what was credited.

use super::shown;
use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use crate::routes::collection;
use crate::routes::shown_with::ShownWith;
use application::Gateway;
use application::collections::{CollectionName, CollectionSort};
use http::StatusCode;
use wire::collection::{CollectionContext, CollectionsPart, parse_list};
use wire::page::Paging;
use wire::transaction::parse_reference;
use wire::tree::Object;

/// What differs between the kinds of collections where they are read.
pub(super) struct KindOfCollections {
    pub(super) sort: CollectionSort,
    /// The message of an answer that lists some.
    pub(super) all: &'static str,
    /// The message of an answer that shows one.
    pub(super) one: &'static str,
    pub(super) view: fn(CollectionsPart<'_>, &Paging<()>, CollectionContext<'_>) -> Object,
    pub(super) links: fn(CollectionsPart<'_>, &Paging<()>) -> String,
}

impl KindOfCollections {
    pub(super) async fn list(
        &self,
        gateway: Gateway,
        call: AuthenticatedRequest,
    ) -> Result<HttpReply, HttpReply> {
        let paging = parse_list(&call.attributes, call.handling)?;
        let page = collection::page_of(&paging);
        let found = gateway.collections(&call.merchant, self.sort, page).await?;
        let part = CollectionsPart {
            collections: &found.collections,
            total: found.total,
        };
        let shown_with = ShownWith::of(&gateway, &call);
        let fields = (self.view)(part, &paging, shown_with.context(&gateway));
        let reply = HttpReply::success(StatusCode::OK, self.all, fields);
        let links = (self.links)(part, &paging);
        Ok(collection::part(reply, found.total, &links))
    }

    pub(super) async fn report(
        &self,
        gateway: Gateway,
        call: AuthenticatedRequest,
    ) -> Result<HttpReply, HttpReply> {
        let reference = parse_reference(&call.attributes, call.handling)?;
        let name = CollectionName::Reference(&reference);
        let found = gateway.collection(&call.merchant, name, self.sort).await?;
        let shown_with = ShownWith::of(&gateway, &call);
        let said = (StatusCode::OK, self.one);
        Ok(shown(said, &found, shown_with.context(&gateway)))
    }
}
