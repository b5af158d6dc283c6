//! `GET /account/permissions`. It must show the keys of the account in the request and of no other.

use crate::authenticated_request::AuthenticatedRequest;
use crate::error_response::unknown;
use crate::reply::HttpReply;
use crate::routes::collection;
use application::Gateway;
use http::StatusCode;
use wire::account::permissions;
use wire::attribute::KEY;

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let query = permissions::parse(&call.attributes, call.handling)?;
    let keys = gateway.keys(&call.merchant).await?;
    if let Some(only) = query.only {
        let Some(key) = keys.iter().find(|key| key.id() == only) else {
            let message = "names no key of your account; GET /account/permissions lists those that \
                           open it";
            return Err(unknown(&KEY, message));
        };
        let fields = permissions::view_one(key, &call.zone());
        return Ok(HttpReply::success(StatusCode::OK, "The key.", fields));
    }
    let listing = permissions::listing(keys, &call.zone());
    let fields = permissions::view(&listing, &query);
    let links = permissions::link_header(&listing, &query);
    let reply = HttpReply::success(StatusCode::OK, "The keys.", fields);
    Ok(collection::part(reply, listing.found.len(), &links))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, get};
    use ports::accounts::Accounts;
    use testkit::builders::{account_id, key};

    const PATH: &str = "/account/permissions";

    #[tokio::test]
    async fn the_keys_are_those_that_open_the_account_now() {
        let world = RouteTestWorld::new().await;
        let one = world.send(get(PATH)).await;
        one.assert_success(200);
        assert_eq!(one.json["query"]["found"], 1);
        let shop = account_id("shop");
        assert!(world.store.add_key(&shop, &key(9)).await.unwrap());
        let two = world.send(get(PATH)).await;
        assert_eq!(two.header("total"), "2");
        assert_eq!(
            two.json["permissions"][1]["keyPrefix"],
            key(9).hint.as_str()
        );
        let scopes = &two.json["permissions"][1]["keyScopes"];
        assert_eq!(
            *scopes,
            serde_json::json!(["read", "lookup", "pay", "manage", "admin"])
        );
        let only = format!("{PATH}?keyIdentifier={}", key(9).id);
        let only = world.send(get(&only)).await;
        only.assert_success(200);
        assert_eq!(only.json["keyPrefix"], key(9).hint.as_str());
        assert!(!only.text.contains("hash"), "{}", only.text);
    }

    #[tokio::test]
    async fn a_key_of_another_account_is_one_that_does_not_exist() {
        let world = RouteTestWorld::new().await;
        let other = account_id("other");
        assert!(world.store.add_key(&other, &key(9)).await.unwrap());
        for id in [key(9).id.to_string(), "ffffffffffffffff".to_owned()] {
            let none = world.send(get(&format!("{PATH}?keyIdentifier={id}"))).await;
            none.assert_error(404, None, "/params/keyIdentifier");
        }
    }
}
