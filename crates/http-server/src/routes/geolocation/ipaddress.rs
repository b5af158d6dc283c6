//! `GET /geolocation/ipaddress`. It must answer for any address: an address without known data gets
//! an answer too.

use crate::authenticated_request::AuthenticatedRequest;
use crate::reply::HttpReply;
use application::Gateway;
use http::StatusCode;
use wire::geolocation::ipaddress::{self, Resolved};

pub(in crate::routes) async fn handle(
    gateway: Gateway,
    call: AuthenticatedRequest,
) -> Result<HttpReply, HttpReply> {
    let address = ipaddress::parse(&call.attributes, call.handling)?;
    let found = gateway.locate(address).await;
    let named = found.named.as_ref();
    let dns = Resolved {
        name: found.name.as_deref(),
        leads_to: named.map(|it| (it.address, &it.location, &it.subnet)),
    };
    let fields = ipaddress::view(found.address, &found.location, dns);
    Ok(HttpReply::success(
        StatusCode::OK,
        "The IP address.",
        fields,
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::{RouteTestWorld, TestAnswer, get};
    use serde_json::Value;

    async fn ask(query: &str) -> TestAnswer {
        let world = RouteTestWorld::new().await;
        let target = format!("/geolocation/ipaddress{query}");
        world.send(get(&target)).await
    }

    #[tokio::test]
    async fn a_public_address_is_shown_with_its_place_and_its_name() {
        let answer = ask("?ipAddress=8.8.8.8").await;
        answer.assert_success(200);
        assert_eq!(answer.json["ipAddress"], "8.8.8.8");
        assert_eq!(
            answer.json["registryName"],
            "AS64500 Example Networks Limited"
        );
        assert_eq!(answer.json["utcOffset"], 3_600);
        assert!(
            answer.text.contains(r#""locationLatitude":6.455,"#),
            "{}",
            answer.text
        );
        assert_eq!(answer.json["dnsReserve"], "dns.example");
        assert_eq!(answer.json["dnsIPaddress"], "8.8.8.8");
        assert_eq!(answer.json["dnsProvider"], "Nigeria - Example Mobile");
        assert_eq!(answer.json["ednsIPaddress"], "8.8.8.0/24");
        assert_eq!(answer.json["ednsProvider"], "Unavailable");
        assert_eq!(answer.json["isMobile"], true);
    }

    #[tokio::test]
    async fn an_address_is_answered_in_its_canonical_form() {
        let mapped = ask("?ipAddress=::ffff:8.8.8.8").await;
        mapped.assert_success(200);
        assert_eq!(mapped.json["ipAddress"], "8.8.8.8");
        assert_eq!(mapped.json["countryCode"], "NG");
        let long = ask("?ipAddress=2001:0DB8:0:0:0:0:0:1").await;
        assert_eq!(long.json["ipAddress"], "2001:db8::1");
    }

    #[tokio::test]
    async fn a_special_purpose_address_is_answered_with_placeholders() {
        for address in ["10.0.0.1", "127.0.0.1", "::1", "224.0.0.1", "192.0.2.1"] {
            let answer = ask(&format!("?ipAddress={address}")).await;
            answer.assert_success(200);
            assert_eq!(answer.json["countryName"], "Unavailable", "{address}");
            assert_eq!(answer.json["dnsReserve"], "Unavailable", "{address}");
            assert_eq!(answer.json["registryName"], "", "{address}");
            assert_eq!(answer.json["isProxy"], Value::Null, "{address}");
        }
    }

    #[tokio::test]
    async fn a_malformed_address_is_refused_and_a_missing_one_is_a_missing_filter() {
        for query in [
            "?ipAddress=",
            "?ipAddress=8.8.8.08",
            "?ipAddress=8.8.8.8:53",
            "?ipAddress=8.8.8.0/24",
            "?ipAddress=fe80::1%25eth0",
            "?ipAddress=dns.google",
        ] {
            let answer = ask(query).await;
            answer.assert_error(400, Some(859), "/params/ipAddress");
        }
        ask("")
            .await
            .assert_error(405, Some(859), "/params/ipAddress");
    }

    #[tokio::test]
    async fn another_thing_to_locate_is_not_an_address() {
        let world = RouteTestWorld::new().await;
        let answer = world
            .send(get("/geolocation/device?ipAddress=8.8.8.8"))
            .await;
        assert_ne!(answer.status, 200, "{}", answer.text);
    }
}
