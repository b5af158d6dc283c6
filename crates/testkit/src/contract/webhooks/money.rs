//! Laws of events about balances: each line of a statement that is reported is reported once, as
//! the statement shows it.

use super::setup::WebhookStores;
use crate::builders::{
    account_id, airtime, at, credits, declined, delivery_query, endpoint, endpoint_for, funding,
    naira, sms, user_transfer,
};
use domain::change_set::ChangeSet;
use domain::money::{Currency, Money};
use domain::statement::{Sort, StatementEntry, StatementQuery};
use domain::webhook::{Delivery, EventPayload, Topic, WebhookEventId};
use ports::ledger_store::CommitOutcome;

/// The lines of a wallet of `shop`, oldest first.
async fn lines(stores: &WebhookStores, currency: Currency) -> Vec<StatementEntry> {
    let query = StatementQuery {
        currency,
        offset: 0,
        length: 100,
        sort: Sort::Ascending,
        reference: None,
        direction: None,
    };
    stores.statement("shop", &query).await.entries
}

async fn newest_line(stores: &WebhookStores, currency: Currency) -> StatementEntry {
    lines(stores, currency).await.pop().expect("a line")
}

/// The topic and the name of each delivery, without its moment.
fn notified(deliveries: &[Delivery]) -> Vec<(Topic, &str)> {
    let reported = deliveries.iter().map(|it| (it.event.topic, place(it)));
    reported.collect()
}

/// The name of a delivery's event, without its moment.
fn place(delivery: &Delivery) -> &str {
    let event = &delivery.event;
    let moment = format!("_{}", event.at.as_millis());
    let place = event.id.as_str().strip_suffix(&moment);
    place.expect("the moment is a part of the name")
}

async fn sets_low_balance_threshold(stores: &WebhookStores, below: Option<Money>) {
    let currency = below.map_or(Currency::Ngn, Money::currency);
    let shop = account_id("shop");
    let set = stores.accounts.set_low_balance(&shop, currency, below);
    assert!(set.await.expect("set a low balance"));
}

/// A credit is reported as its line of the statement, in each currency under a name of its own.
pub async fn a_credit_is_reported_as_its_line_of_the_statement(stores: &WebhookStores) {
    stores.has_account("shop", "10.00").await;
    stores.has(&endpoint("shop", 1)).await;
    let paid_in = ChangeSet::Fund(funding("shop", "slip-1", "5.00"));
    assert_eq!(stores.commit(paid_in).await, CommitOutcome::Done);
    let line = newest_line(stores, Currency::Ngn).await;
    assert_eq!((line.position, line.after), (2, naira("15.00")));
    stores.has_credits("shop", "credits-1", "7.00").await;
    let in_credits = newest_line(stores, Currency::Crd).await;
    let all = stores.deliveries().await;
    let expected = [
        (Topic::AccountCredited, "evt_CRD_1"),
        (Topic::AccountCredited, "evt_NGN_2"),
    ];
    assert_eq!(notified(&all), expected);
    assert_eq!(
        all[0].event.subject,
        EventPayload::Credit(Box::new(in_credits))
    );
    assert_eq!(all[1].event.subject, EventPayload::Credit(Box::new(line)));
    let due = stores.due(0).await;
    let mut due: Vec<_> = due.iter().map(place).collect();
    due.sort_unstable();
    assert_eq!(due, ["evt_CRD_1", "evt_NGN_2"]);
    stores.must_be_clean(at(0)).await;
}

/// What another account pays is reported to the account that is paid as any credit is, and to the
/// one that pays as the end of its transaction.
pub async fn what_another_account_pays_is_reported_to_both(stores: &WebhookStores) {
    stores.has_account("kiosk", "10.00").await;
    stores.has_account("shop", "10,000.00").await;
    stores.has(&endpoint("shop", 1)).await;
    stores.has(&endpoint("kiosk", 2)).await;
    let paid = user_transfer().change();
    assert_eq!(stores.commit(paid).await, CommitOutcome::Done);
    let of = async |account| {
        let page = stores.page(account, &delivery_query()).await;
        let deliveries = page.deliveries.into_iter().map(|(delivery, _)| delivery);
        deliveries.collect::<Vec<_>>()
    };
    let others = of("kiosk").await;
    assert_eq!(notified(&others), [(Topic::AccountCredited, "evt_NGN_2")]);
    let EventPayload::Credit(line) = &others[0].event.subject else {
        panic!("no credit: {others:?}");
    };
    assert_eq!(
        (line.transaction.clone(), line.amount),
        (None, naira("1,000.00"))
    );
    let own = of("shop").await;
    let topics: Vec<_> = own.iter().map(|it| it.event.topic).collect();
    assert_eq!(topics, [Topic::TransactionSuccessful]);
    stores.must_be_clean(at(0)).await;
}

/// A credit that changes nothing is not reported, and one that changes something only to the
/// endpoints subscribed to it.
pub async fn a_credit_is_reported_once_to_each_subscribed_endpoint(stores: &WebhookStores) {
    stores.has_account("shop", "10.00").await;
    stores.has_account("other", "10.00").await;
    stores.has(&endpoint("other", 1)).await;
    stores
        .has(&endpoint_for("shop", 2, &[Topic::AccountCredited]))
        .await;
    stores
        .has(&endpoint_for("shop", 3, &[Topic::AccountLowBalance]))
        .await;
    for _ in 0..2 {
        let paid_in = ChangeSet::Fund(funding("shop", "slip-1", "5.00"));
        stores.commit(paid_in).await;
    }
    let all = stores.deliveries().await;
    assert_eq!(notified(&all), [(Topic::AccountCredited, "evt_NGN_2")]);
    assert_eq!(all[0].endpoint.get(), 2);
    let others = stores.page("other", &delivery_query()).await;
    assert!(others.deliveries.is_empty());
}

/// A payment that takes a balance below the account's threshold is reported with its line, once:
/// not by the next payment, but again after the balance was above it.
pub async fn a_balance_is_low_once_each_time_it_falls(stores: &WebhookStores) {
    stores.has_account("shop", "100.00").await;
    let low = [Topic::AccountLowBalance];
    stores.has(&endpoint_for("shop", 1, &low)).await;
    sets_low_balance_threshold(stores, Some(naira("50.00"))).await;
    let pays = |n: u64, price: &str| airtime().nth(n).priced(price);
    let first = stores.has_opened(&pays(1, "50.00")).await;
    assert!(stores.deliveries().await.is_empty(), "it has 50.00");
    let second = stores.has_opened(&pays(2, "0.01")).await;
    let line = newest_line(stores, Currency::Ngn).await;
    let only = stores.only().await.0;
    let below = naira("50.00");
    let subject = EventPayload::LowBalance {
        line: Box::new(line.clone()),
        below,
    };
    assert_eq!(
        line.transaction.map(|(number, _)| number),
        Some(second.number)
    );
    assert_eq!((&only.event.subject, only.event.at), (&subject, line.at));
    assert_eq!(place(&only), "evt_NGN_3");

    stores.has_opened(&pays(3, "10.00")).await;
    assert_eq!(stores.deliveries().await.len(), 1, "it was low before");
    stores.has_applied(&first, &declined(&first), at(5)).await;
    assert_eq!(stores.deliveries().await.len(), 1, "it rose");
    stores.has_opened(&pays(4, "89.99")).await;
    let all = stores.deliveries().await;
    let places: Vec<_> = all.iter().map(place).collect();
    assert_eq!(places, ["evt_NGN_3", "evt_NGN_6"]);

    sets_low_balance_threshold(stores, None).await;
    let paid_in = ChangeSet::Fund(funding("shop", "slip-1", "100.00"));
    stores.commit(paid_in).await;
    stores.has_opened(&pays(5, "100.00")).await;
    assert_eq!(stores.deliveries().await.len(), 2, "no threshold is set");
    stores.must_be_clean(at(5)).await;
}

/// Each wallet is low by itself, and one without a threshold never is.
pub async fn each_wallet_is_low_by_itself(stores: &WebhookStores) {
    stores.has_account("shop", "100.00").await;
    stores.has_credits("shop", "credits-1", "100.00").await;
    let low = [Topic::AccountLowBalance];
    stores.has(&endpoint_for("shop", 1, &low)).await;
    sets_low_balance_threshold(stores, Some(credits("99.00"))).await;
    stores.has_opened(&airtime().nth(1).priced("90.00")).await;
    assert!(stores.deliveries().await.is_empty());
    stores.has_opened(&sms().nth(2).in_credits()).await;
    let all = stores.deliveries().await;
    assert_eq!(notified(&all), [(Topic::AccountLowBalance, "evt_CRD_2")]);
    let ghost = account_id("ghost");
    let set = stores.accounts.set_low_balance(&ghost, Currency::Ngn, None);
    assert!(!set.await.expect("nothing fails"));
}

/// Changes that were committed together are reported as if each had been committed alone.
pub async fn a_balance_that_rises_and_falls_in_one_batch_is_low(stores: &WebhookStores) {
    stores.has_account("shop", "10.00").await;
    stores.has(&endpoint("shop", 1)).await;
    sets_low_balance_threshold(stores, Some(naira("50.00"))).await;
    let mut together = tokio::task::JoinSet::new();
    for n in 1..=20_u64 {
        let (books, paid_in) = (stores.books.clone(), n % 2 == 0);
        let change = if paid_in {
            ChangeSet::Fund(funding("shop", &format!("slip-{n}"), "60.00"))
        } else {
            airtime().nth(n).priced("60.00").change()
        };
        together.spawn(async move { books.commit(change).await });
    }
    while let Some(done) = together.join_next().await {
        done.expect("a commit").expect("a verdict");
    }
    let lines = lines(stores, Currency::Ngn).await;
    let below = naira("50.00");
    let is_low = |balance: Money| balance.minor() < below.minor();
    let falls = |line: &&StatementEntry| !is_low(line.before) && is_low(line.after);
    let expected: Vec<_> = lines
        .iter()
        .filter(falls)
        .map(WebhookEventId::of_line)
        .collect();
    let all = stores.deliveries().await;
    let of_topic = |it: &&Delivery| it.event.topic == Topic::AccountLowBalance;
    let low: Vec<_> = all
        .iter()
        .filter(of_topic)
        .map(|it| it.event.id.clone())
        .collect();
    assert_eq!(low, expected);
    let credited = all.len() - low.len();
    assert_eq!(credited, 10, "{all:#?}");
}
