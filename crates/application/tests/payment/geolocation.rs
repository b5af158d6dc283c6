//! The rules of looking up an address: who is asked, and for how long.

use crate::support::World;
use application::Gateway;
use application::settings::Settings;
use domain::geolocation::{Address, Location};
use std::sync::Arc;
use std::time::Duration;
use testkit::geolocation::{KNOWN, TestNames, location};

fn asking(world: &World, names: &Arc<TestNames>) -> Gateway {
    world.gateway_with(|parts| parts.reverse_names = names.clone())
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

#[tokio::test]
async fn a_public_address_is_located_and_named() {
    let world = World::new().await;
    let names = Arc::new(TestNames::default());
    let found = asking(&world, &names).locate(address(KNOWN)).await;
    assert_eq!(found.address, address(KNOWN));
    assert_eq!(found.location, location());
    assert_eq!(found.name.as_deref(), Some("dns.example"));
    assert_eq!(names.asked(), 1);
}

#[tokio::test]
async fn a_special_purpose_address_is_not_looked_up() {
    let world = World::new().await;
    let names = Arc::new(TestNames::silent());
    let gateway = asking(&world, &names);
    for text in [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "224.0.0.1",
    ] {
        let found = gateway.locate(address(text)).await;
        assert_eq!(found.location, Location::default(), "{text}");
        assert_eq!(found.name, None, "{text}");
    }
    assert_eq!(names.asked(), 0);
}

#[tokio::test]
async fn a_name_that_is_not_resolved_in_time_is_not_waited_for() {
    let world = World::new().await;
    let names = Arc::new(TestNames::silent());
    let gateway = asking(&world, &names);
    let mut asked = Box::pin(gateway.locate(address(KNOWN)));
    let instant = Duration::from_millis(1);
    let almost = Settings::default()
        .reverse_dns_deadline
        .saturating_sub(instant);
    tokio::select! {
        _ = &mut asked => panic!("it was waited for less than promised"),
        () = world.clock.advance(almost) => {}
    }
    let (found, ()) = tokio::join!(asked, world.clock.advance(instant));
    assert_eq!(found.location, location(), "the rest is known all the same");
    assert_eq!(found.name, None);
    assert_eq!(names.asked(), 1);
}
