//! Laws of the log of requests. What one account does must neither be seen by another nor take the
//! place of what another did.

use super::setup::Stores;
use crate::builders::{account_id, at, logged_request};
use domain::request_log::{RequestLogQuery, StatusFilter};
use domain::statement::Sort;
use ports::request_log::{RequestExcess, RequestLogPage};

const ALL: RequestLogQuery = RequestLogQuery {
    from: None,
    before: None,
    status: None,
    request_id: None,
    offset: 0,
    length: 100,
    sort: Sort::Descending,
};

/// Records requests of `shop`, one for each number.
async fn has_recorded(stores: &Stores, numbers: impl Iterator<Item = u64>) {
    let requests: Vec<_> = numbers.map(|it| logged_request("shop", it)).collect();
    let recorded = stores.request_log.record_requests(&requests).await;
    recorded.expect("record requests");
}

async fn requests(stores: &Stores, account: &str, query: &RequestLogQuery) -> RequestLogPage {
    let account = account_id(account);
    let page = stores.request_log.logged_requests(&account, query).await;
    page.expect("list the requests")
}

async fn numbers(stores: &Stores, query: RequestLogQuery) -> (Vec<u64>, u64) {
    let page = requests(stores, "shop", &query).await;
    let numbers = page.requests.iter().map(|row| row.number).collect();
    (numbers, page.found)
}

async fn forget(stores: &Stores, account: &str, kept: u32, most: u32) -> u64 {
    let account = account_id(account);
    let excess = RequestExcess {
        account: &account,
        kept,
        most,
    };
    let forgotten = stores.request_log.forget_excess(excess).await;
    forgotten.expect("forget requests")
}

/// What is recorded reads back whole, by its account alone.
pub async fn requests_read_back_newest_first_and_each_account_has_its_own(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "100").await;
    }
    let [first, mut second] = [1, 2].map(|it| logged_request("shop", it));
    second.request.path = "/a \"quoted\" path\\é".into();
    second.request.address = "2001:db8::1".parse().expect("an address");
    second.request.status = 599;
    second.request.latency_ms = u64::from(u32::MAX);
    // Of another account under the same number.
    let others = logged_request("other", 1);
    let all = [first.clone(), others.clone(), second.clone()];
    let recorded = stores.request_log.record_requests(&all).await;
    recorded.expect("record requests");
    let own = requests(stores, "shop", &ALL).await;
    assert_eq!((own.total, own.found), (2, 2));
    assert_eq!(own.requests, [second, first]);
    let page = requests(stores, "other", &ALL).await;
    assert_eq!(page.requests, [others]);
    let none = requests(stores, "third", &ALL).await;
    assert_eq!(none, RequestLogPage::default());
    let nothing = stores.request_log.record_requests(&[]).await;
    nothing.expect("record no requests");
}

/// A part of them is asked for by moment, status, id and place.
pub async fn requests_are_found_by_moment_status_and_id(stores: &Stores) {
    stores.has_account("shop", "100").await;
    let mut all: Vec<_> = (1..=6).map(|it| logged_request("shop", it)).collect();
    for (request, status) in all.iter_mut().zip([200, 201, 400, 404, 499, 500]) {
        request.request.status = status;
    }
    let recorded = stores.request_log.record_requests(&all).await;
    recorded.expect("record requests");
    let part = RequestLogQuery {
        offset: 1,
        length: 2,
        ..ALL
    };
    assert_eq!(numbers(stores, part.clone()).await, (vec![5, 4], 6));
    let oldest = RequestLogQuery {
        sort: Sort::Ascending,
        ..part
    };
    assert_eq!(numbers(stores, oldest).await, (vec![2, 3], 6));
    let between = RequestLogQuery {
        from: Some(at(2)),
        before: Some(at(5)),
        ..ALL
    };
    assert_eq!(numbers(stores, between.clone()).await, (vec![4, 3, 2], 3));
    let of_status = |status| RequestLogQuery {
        status: Some(status),
        ..ALL
    };
    let class = of_status(StatusFilter::Class(4));
    assert_eq!(numbers(stores, class).await, (vec![5, 4, 3], 3));
    let exactly = of_status(StatusFilter::Exactly(404));
    assert_eq!(numbers(stores, exactly).await, (vec![4], 1));
    let of_id = |id: &str| RequestLogQuery {
        request_id: Some(id.to_owned()),
        ..ALL
    };
    let third = of_id(&all[2].request.request_id);
    assert_eq!(numbers(stores, third.clone()).await, (vec![3], 1));
    let neither = RequestLogQuery {
        before: Some(at(3)),
        ..third
    };
    assert_eq!(numbers(stores, neither).await, (vec![], 0));
    assert_eq!(numbers(stores, of_id("0")).await, (vec![], 0));
}

/// The newest of an account are kept, whatever another account has.
pub async fn requests_beyond_what_is_kept_are_forgotten_of_their_account_alone(stores: &Stores) {
    for id in ["shop", "other"] {
        stores.has_account(id, "100").await;
    }
    has_recorded(stores, 1..=20).await;
    let others = [logged_request("other", 1)];
    let recorded = stores.request_log.record_requests(&others).await;
    recorded.expect("record requests");
    assert_eq!(forget(stores, "shop", 20, 9).await, 0);
    assert_eq!(forget(stores, "shop", 5, 9).await, 9);
    assert_eq!(forget(stores, "shop", 5, 9).await, 6);
    assert_eq!(forget(stores, "shop", 5, 9).await, 0);
    let kept = (vec![20, 19, 18, 17, 16], 5);
    assert_eq!(numbers(stores, ALL).await, kept);
    assert_eq!(requests(stores, "other", &ALL).await.total, 1);
}

/// What is older than a moment goes, the oldest first.
pub async fn requests_are_forgotten_once_they_are_old(stores: &Stores) {
    stores.has_account("shop", "100").await;
    has_recorded(stores, 1..=9).await;
    let forget = async |second, most| {
        let forgotten = stores.retention.forget_requests(at(second), most).await;
        forgotten.expect("forget requests")
    };
    assert_eq!(forget(1, 9).await, 0);
    assert_eq!(forget(6, 3).await, 3);
    assert_eq!(numbers(stores, ALL).await.0, [9, 8, 7, 6, 5, 4]);
    assert_eq!(forget(6, 3).await, 2);
    assert_eq!(forget(6, 3).await, 0);
    assert_eq!(numbers(stores, ALL).await.0, [9, 8, 7, 6]);
}
