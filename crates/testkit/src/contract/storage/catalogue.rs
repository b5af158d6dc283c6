//! Laws of the versions of the catalogue. Moments must be judged by the time of the store, so the
//! laws ask the store for it.

use super::setup::Stores;
use domain::time::Timestamp;
use ports::catalogue_versions::{
    CataloguePublication, CatalogueVersion, LEAD_MIN, NewCatalogueVersion,
};
use std::time::Duration;

/// More than a law takes on a machine under load.
const MARGIN: Duration = Duration::from_mins(2);

async fn now(stores: &Stores) -> Timestamp {
    stores.catalogue.versions(0).await.expect("read").now
}

fn version(number: u32, effective_from: Timestamp) -> NewCatalogueVersion {
    NewCatalogueVersion {
        number,
        effective_from,
        published_by: "alpha".to_owned(),
        reason: "the dollar rose; new tariff".to_owned(),
        digest: [u8::try_from(number).expect("small"); 32],
        changes: vec!["cabletv.301".to_owned(), "sms.566".to_owned()],
        document: format!("# version {number}\n[[plan]]\nname = \"\u{1f4fa}\"\n"),
    }
}

async fn publish(stores: &Stores, version: &NewCatalogueVersion) -> CataloguePublication {
    stores.catalogue.publish(version).await.expect("publish")
}

/// Each part of it, and nothing before the first.
pub async fn a_version_of_the_catalogue_reads_back(stores: &Stores) {
    let before = now(stores).await;
    let begins = before.plus(LEAD_MIN + MARGIN);
    let first = version(1, begins);
    let second = NewCatalogueVersion {
        changes: Vec::new(),
        ..version(2, begins)
    };
    assert_eq!(stores.catalogue.document(1).await.unwrap(), None);
    for new in [&first, &second] {
        assert_eq!(publish(stores, new).await, CataloguePublication::Done);
    }
    let read = stores.catalogue.versions(0).await.unwrap();
    let after = read.now;
    for (read, new) in read.versions.iter().zip([&first, &second]) {
        assert!((before..=after).contains(&read.published_at), "{read:?}");
        let expected = CatalogueVersion {
            number: new.number,
            effective_from: begins,
            published_at: read.published_at,
            published_by: new.published_by.clone(),
            reason: new.reason.clone(),
            digest: new.digest,
            changes: new.changes.clone(),
        };
        assert_eq!(*read, expected);
        let document = stores.catalogue.document(new.number).await.unwrap();
        assert_eq!(document.as_ref(), Some(&new.document));
    }
    let later = stores.catalogue.versions(1).await.unwrap();
    assert_eq!(later.versions.len(), 1);
    assert_eq!(later.versions[0].number, 2);
    assert!(
        stores
            .catalogue
            .versions(2)
            .await
            .unwrap()
            .versions
            .is_empty()
    );
}

/// Every instance has the time to read it before it begins.
pub async fn a_version_of_the_catalogue_begins_a_minute_ahead(stores: &Stores) {
    let at = now(stores).await;
    for early in [
        Timestamp::from_millis(0),
        at.minus(Duration::from_hours(1)),
        at,
        at.plus(LEAD_MIN).minus(Duration::from_secs(1)),
    ] {
        let refused = publish(stores, &version(1, early)).await;
        let CataloguePublication::TooSoon(said) = refused else {
            panic!("{refused:?}");
        };
        assert!(said >= at && said <= now(stores).await, "{said:?}");
    }
    assert!(
        stores
            .catalogue
            .versions(0)
            .await
            .unwrap()
            .versions
            .is_empty()
    );
    let in_time = version(1, at.plus(LEAD_MIN + MARGIN));
    assert_eq!(publish(stores, &in_time).await, CataloguePublication::Done);
}

/// What was compared with an older version is compared again.
pub async fn a_number_of_the_catalogue_is_published_once(stores: &Stores) {
    let begins = now(stores).await.plus(LEAD_MIN + MARGIN);
    let out_of_turn = CataloguePublication::OutOfTurn;
    assert_eq!(publish(stores, &version(2, begins)).await, out_of_turn);
    let first = version(1, begins);
    assert_eq!(publish(stores, &first).await, CataloguePublication::Done);
    let other = NewCatalogueVersion {
        document: "other".to_owned(),
        ..first.clone()
    };
    assert_eq!(publish(stores, &other).await, out_of_turn);
    assert_eq!(publish(stores, &version(3, begins)).await, out_of_turn);
    let document = stores.catalogue.document(1).await.unwrap();
    assert_eq!(document, Some(first.document));
}

/// Operators who publish at once.
pub async fn one_version_of_the_catalogue_is_published_of_many(stores: &Stores) {
    let begins = now(stores).await.plus(LEAD_MIN + MARGIN);
    let mut racing = tokio::task::JoinSet::new();
    for racer in 0..8 {
        let stores = stores.clone();
        racing.spawn(async move {
            let new = NewCatalogueVersion {
                document: format!("of {racer}"),
                ..version(1, begins)
            };
            (racer, publish(&stores, &new).await)
        });
    }
    let mut won = Vec::new();
    while let Some(raced) = racing.join_next().await {
        match raced.expect("a racer") {
            (racer, CataloguePublication::Done) => won.push(racer),
            (_, lost) => assert_eq!(lost, CataloguePublication::OutOfTurn),
        }
    }
    assert_eq!(won.len(), 1, "{won:?}");
    let document = stores.catalogue.document(1).await.unwrap();
    assert_eq!(document, Some(format!("of {}", won[0])));
    assert_eq!(
        stores.catalogue.versions(0).await.unwrap().versions.len(),
        1
    );
}
