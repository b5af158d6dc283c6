//! Laws of the wallets of an account: one in every currency, and nothing of one may ever be in
//! another.

use super::setup::{Stores, whole};
use crate::builders::{
    airtime, at, credits, declined, delivered, funding, naira, reference, reversed, sms,
};
use domain::change_set::{ChangeSet, Funding};
use domain::money::{Currency, Money};
use domain::statement::{Direction, Sort, StatementPage, StatementQuery};
use ports::ledger_store::CommitOutcome;

impl Stores {
    /// Pays message credits in, under a reference of their own.
    pub async fn has_credits(&self, account: &str, under: &str, amount: &str) {
        let paid_in = Funding {
            amount: credits(amount),
            ..funding(account, under, "1.00")
        };
        assert_eq!(
            self.commit(ChangeSet::Fund(paid_in)).await,
            CommitOutcome::Done
        );
    }
}

/// Money buys what is priced in money, credits what is priced in credits, and neither is taken for
/// the other however much of it there is.
pub async fn credits_never_pay_for_what_costs_money_nor_money_for_credits(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    let in_credits = sms().nth(1).in_credits();
    let refused = CommitOutcome::InsufficientFunds;
    assert_eq!(stores.open(&in_credits).await, refused);
    stores.has_credits("shop", "credits-1", "10.00").await;
    stores.has_opened(&in_credits).await;
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (600, 400));
    assert_eq!(stores.balances("shop").await, (100_000, 0));
    let dear = airtime().nth(2).priced("1,000.01");
    assert_eq!(stores.open(&dear).await, refused);
    let rest = airtime().nth(3).priced("1,000.00");
    stores.has_opened(&rest).await;
    assert_eq!(stores.open(&sms().nth(4)).await, refused);
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (600, 400));
    assert_eq!(stores.balances("shop").await, (0, 100_000));
    stores.must_be_clean(at(0)).await;
}

/// What was paid in credits is captured, released and returned in credits.
pub async fn credits_are_settled_in_credits(stores: &Stores) {
    stores.has_account("shop", "1,000.00").await;
    stores.has_credits("shop", "credits-1", "10.00").await;
    let kept = stores.has_opened(&sms().nth(1).in_credits()).await;
    stores.has_applied(&kept, &delivered(&kept), at(1)).await;
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (600, 0));
    let refused = stores.has_opened(&sms().nth(2).in_credits()).await;
    stores
        .has_applied(&refused, &declined(&refused), at(2))
        .await;
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (600, 0));
    let back = stores.has_opened(&sms().nth(3).in_credits()).await;
    let back = stores.has_applied(&back, &delivered(&back), at(3)).await;
    stores.has_applied(&back, &reversed(&back), at(4)).await;
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (600, 0));
    assert_eq!(stores.balances("shop").await, (100_000, 0));
    stores.must_be_clean(at(0)).await;
}

/// A funding reference works once whatever it was for, and says what it was for.
pub async fn a_credit_in_one_currency_takes_its_reference_in_every_currency(stores: &Stores) {
    stores.has_account("shop", "1.00").await;
    stores.has_credits("shop", "slip-7", "250.00").await;
    let again = funding("shop", "slip-7", "9.00");
    let taken = CommitOutcome::FundingTaken(credits("250.00"));
    assert_eq!(stores.commit(ChangeSet::Fund(again)).await, taken);
    let again = Funding {
        amount: credits("9.00"),
        ..funding("shop", "opening-balance", "1.00")
    };
    let taken = CommitOutcome::FundingTaken(naira("1.00"));
    assert_eq!(stores.commit(ChangeSet::Fund(again)).await, taken);
    assert_eq!(stores.balances("shop").await, (100, 0));
    assert_eq!(stores.balances_in("shop", Currency::Crd).await, (25_000, 0));
}

/// Paid in, paid in credits, order-1 in credits held, order-2 held, order-1 released in credits.
async fn history(stores: &Stores) {
    stores.has_account("shop", "10,000.00").await;
    stores.has_credits("shop", "credits-1", "100.00").await;
    let message = stores.has_opened(&sms().nth(1).in_credits()).await;
    stores.has_opened(&airtime().nth(2).worth("300.00")).await;
    stores
        .has_applied(&message, &declined(&message), at(3))
        .await;
}

fn of(currency: Currency) -> StatementQuery {
    StatementQuery {
        currency,
        ..whole()
    }
}

fn lines(page: &StatementPage) -> Vec<(u64, Money, Money)> {
    let lines = page.entries.iter();
    lines
        .map(|line| (line.position, line.amount, line.after))
        .collect()
}

/// Each wallet numbers its own lines from 1, chains its own balances and counts its own lines.
pub async fn each_wallet_has_a_statement_of_its_own(stores: &Stores) {
    history(stores).await;
    let page = stores.statement("shop", &of(Currency::Ngn)).await;
    let expected = [
        (1, naira("10,000.00"), naira("10,000.00")),
        (2, naira("291.00"), naira("9,709.00")),
    ];
    assert_eq!(lines(&page), expected);
    assert_eq!((page.total, page.found), (2, 2));
    let page = stores.statement("shop", &of(Currency::Crd)).await;
    let expected = [
        (1, credits("100.00"), credits("100.00")),
        (2, credits("4.00"), credits("96.00")),
        (3, credits("4.00"), credits("100.00")),
    ];
    assert_eq!(lines(&page), expected);
    assert_eq!((page.total, page.found), (3, 3));
}

/// Pages, order and filters of one wallet's statement see nothing of the other.
pub async fn a_page_of_one_wallet_holds_nothing_of_another(stores: &Stores) {
    history(stores).await;
    let newest = StatementQuery {
        offset: 1,
        length: 1,
        sort: Sort::Descending,
        ..of(Currency::Crd)
    };
    let page = stores.statement("shop", &newest).await;
    assert_eq!(lines(&page), [(2, credits("4.00"), credits("96.00"))]);
    let paid_in = StatementQuery {
        direction: Some(Direction::Credit),
        ..of(Currency::Crd)
    };
    let page = stores.statement("shop", &paid_in).await;
    assert_eq!((page.entries.len(), page.found, page.total), (2, 2, 3));
    let named = |currency| StatementQuery {
        reference: Some(reference("order-1")),
        ..of(currency)
    };
    let page = stores.statement("shop", &named(Currency::Crd)).await;
    assert_eq!((page.entries.len(), page.found, page.total), (2, 2, 3));
    let page = stores.statement("shop", &named(Currency::Ngn)).await;
    assert_eq!((page.entries.len(), page.found, page.total), (0, 0, 2));
}
