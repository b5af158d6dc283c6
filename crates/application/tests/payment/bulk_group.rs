//! A batch for a group: each member is paid once, whatever becomes of the group afterwards.

use super::support::request::keyed;
use super::support::shelf::BANK;
use super::support::{BALANCE, World, attempt, merchant};
use application::payout_groups::SeenVersion;
use application::{BatchResult, Gateway, QueueWorker, ReplayMark, RequestError};
use domain::bank::{
    AccountNumber, BankIdentifier, BulkPayees, BulkPayout, Group, GroupContent, GroupLabel,
    GroupMember, GroupPayout, Narration,
};
use domain::batch::OnFailure;
use testkit::builders::{group_id, naira, reference};

/// Their check digits are right for the one bank there is.
const NUMBERS: [&str; 3] = ["0123456785", "0123456792", "0123456802"];

/// What one payout of 100.00 costs.
const PRICE: i64 = 11_075;

fn members(numbers: &[&str]) -> GroupContent {
    let member = |number: &&str| GroupMember {
        bank: BankIdentifier::parse(BANK).unwrap(),
        number: AccountNumber::parse(number).unwrap(),
        name: GroupLabel::parse("Ada").unwrap(),
    };
    GroupContent {
        name: GroupLabel::parse("Staff").unwrap(),
        members: numbers.iter().map(member).collect(),
    }
}

async fn create(gateway: &Gateway, owner: &str) -> Group {
    let owner = merchant(owner);
    let created = gateway.create_group(&owner, members(&NUMBERS), None);
    created.await.unwrap().group
}

fn bulk(group: u64, amount: &str) -> BulkPayout {
    BulkPayout {
        reference: reference("run-1"),
        on_failure: OnFailure::Continue,
        payees: BulkPayees::Group(GroupPayout {
            group: group_id(group),
            amount: naira(amount),
            narration: Narration::parse("Pay of May").unwrap(),
        }),
    }
}

async fn ask(gateway: &Gateway, command: BulkPayout) -> Result<BatchResult, RequestError> {
    let shop = merchant("shop");
    gateway
        .pay_out_in_bulk(&shop, keyed(command, "try-1"))
        .await
}

/// Each member was paid once, in its order, and no other account.
async fn each_is_paid_once(world: &World) {
    let worker = QueueWorker::new(&world.gateway());
    while worker.sweep().await.unwrap() > 0 {}
    for place in ["run-1.0001", "run-1.0002", "run-1.0003"] {
        assert_eq!(world.provider.deliveries(&attempt(place, 1)), 1, "{place}");
    }
    assert_eq!(world.provider.submissions().len(), NUMBERS.len());
    assert_eq!(world.wallet().await, (BALANCE - 3 * PRICE, 0));
    world.is_right().await;
}

#[tokio::test]
async fn each_member_is_paid_once() {
    let world = World::new().await;
    let gateway = world.gateway();
    let group = create(&gateway, "shop").await;
    let opened = ask(&gateway, bulk(group.id.get(), "100.00")).await.unwrap();
    assert_eq!((opened.batch.count, opened.progress.queued), (3, 3));
    each_is_paid_once(&world).await;
}

#[tokio::test]
async fn a_repeated_request_is_answered_after_the_group_was_changed_or_deleted() {
    let world = World::new().await;
    let gateway = world.gateway();
    let group = create(&gateway, "shop").await;
    let asked = bulk(group.id.get(), "100.00");
    let opened = ask(&gateway, asked.clone()).await.unwrap();
    let shop = merchant("shop");
    let seen = SeenVersion {
        stated: group.version,
        only_in: None,
    };
    let changed = gateway.update_group(&shop, (group.id, &seen), members(&NUMBERS[..1]));
    let stated = changed.await.unwrap().group.version;
    let again = ask(&gateway, asked.clone()).await.unwrap();
    assert_eq!(again.replay, ReplayMark::Replayed);
    assert_eq!(again.batch, opened.batch);
    let seen = SeenVersion { stated, ..seen };
    let deleted = gateway.delete_group(&shop, (group.id, &seen)).await;
    deleted.unwrap();
    assert_eq!(ask(&gateway, asked).await.unwrap().batch, opened.batch);
    let other = ask(&gateway, bulk(group.id.get(), "200.00")).await;
    assert!(matches!(other, Err(RequestError::KeyReused)), "{other:?}");
    each_is_paid_once(&world).await;
}

#[tokio::test]
async fn the_group_of_another_account_is_none() {
    let world = World::new().await;
    let gateway = world.gateway();
    let stranger = create(&gateway, "other").await;
    for group in [stranger.id.get(), 7] {
        let refused = ask(&gateway, bulk(group, "100.00")).await;
        let unknown = matches!(refused, Err(RequestError::GroupUnknown));
        assert!(unknown, "{refused:?}");
    }
    assert_eq!(world.wallet().await, (BALANCE, 0));
    world.is_right().await;
}
