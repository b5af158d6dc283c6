//! Laws of the requests of operators. None may be lost, and none stand under a number of another.

use super::setup::Stores;
use crate::builders::{at, change_request, provider_id};
use domain::operations::change_request::{CaseDecision, ChangeRequest, RequestedChange};
use domain::operations::maintenance::{AnnouncedMaintenance, MaintenanceScope};
use domain::order::Service;
use ports::operators::Appended;

fn request(number: u64, change: RequestedChange) -> ChangeRequest {
    ChangeRequest {
        change,
        ..change_request(number)
    }
}

/// Each part of it, newest first.
pub async fn a_request_of_an_operator_reads_back(stores: &Stores) {
    let store = &stores.change_requests;
    assert_eq!(store.last_number().await.unwrap(), 0);
    let scope = MaintenanceScope::biller(Service::Airtime, "01").expect("a biller");
    let time = AnnouncedMaintenance::announce(scope, (at(8), at(9)), at(7)).expect("a time");
    let changes = [
        RequestedChange::Pause(provider_id("my-shop")),
        RequestedChange::Maintenance(time.clone()),
        RequestedChange::MaintenanceEnd(time),
        RequestedChange::Resolve("review:shop:order-1".to_owned(), CaseDecision::Delivered),
    ];
    let mut expected = Vec::new();
    for (change, number) in changes.into_iter().zip(1..) {
        let request = request(number, change);
        assert_eq!(store.append(&request).await.unwrap(), Appended::Done);
        assert_eq!(store.last_number().await.unwrap(), number);
        let read = store.request(number).await.unwrap();
        assert_eq!(read.as_ref(), Some(&request));
        expected.insert(0, request);
    }
    assert_eq!(store.newest(10).await.unwrap(), expected);
    assert_eq!(store.newest(1).await.unwrap(), expected[..1]);
    assert_eq!(store.request(5).await.unwrap(), None);
}

/// Of two that read the same last number one is stored.
pub async fn a_request_of_an_operator_follows_the_last(stores: &Stores) {
    let store = &stores.change_requests;
    let pause = |number| request(number, RequestedChange::Pause(provider_id("my-shop")));
    let resume = |number| request(number, RequestedChange::Resume(provider_id("my-shop")));
    for wrong in [0, 2] {
        assert_eq!(store.append(&pause(wrong)).await.unwrap(), Appended::Behind);
    }
    let (pause, resume) = (pause(1), resume(1));
    let both = tokio::join!(store.append(&pause), store.append(&resume));
    let outcomes = [both.0.unwrap(), both.1.unwrap()];
    assert!(outcomes.contains(&Appended::Done) && outcomes.contains(&Appended::Behind));
    assert_eq!(store.last_number().await.unwrap(), 1);
}
