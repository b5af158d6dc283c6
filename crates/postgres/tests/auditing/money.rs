//! What the audit says of money: transfers, wallets, holds and prices. Whether the past is whole
//! must not be asked here; that is `history`.

use crate::support::check;

#[tokio::test]
async fn i1_finds_a_transfer_between_the_wrong_accounts() {
    let offences = [
        (
            "UPDATE transfers SET amount = 0 WHERE kind = 'hold'",
            "hold of 0 NGN",
        ),
        (
            "UPDATE transfers SET credit_kind = 'loss' WHERE kind = 'hold'",
            "to loss",
        ),
        (
            "UPDATE transfers SET credit_holder = 'x' WHERE kind = 'capture'",
            "to float x",
        ),
        (
            "UPDATE transfers SET debit_holder = 'x' WHERE kind = 'release'",
            "from held x",
        ),
        (
            "UPDATE transfers SET kind = 'gift' WHERE kind = 'loss'",
            "gift of",
        ),
        (
            "UPDATE transfers SET currency = 'USD' WHERE kind = 'margin'",
            "USD",
        ),
        (
            "UPDATE transfers SET transaction = 0, part = id WHERE kind = 'charge'",
            "transaction none",
        ),
        (
            "UPDATE transfers SET credit_kind = 'levy_payable' WHERE kind = 'vat'",
            "to levy_payable",
        ),
        (
            "UPDATE transfers SET debit_kind = 'commission_revenue' WHERE kind = 'levy_reversal'",
            "from commission_revenue",
        ),
        (
            "UPDATE transfers SET credit_kind = 'commission_revenue' WHERE kind = 'transfer_out'",
            "to commission_revenue",
        ),
        (
            "UPDATE transfers SET currency = 'USD' WHERE kind = 'transfer_in'",
            "USD from credit_sales",
        ),
    ];
    check("I1", &offences).await;
}

#[tokio::test]
async fn i2_finds_a_wallet_that_its_transfers_do_not_make() {
    let offences = [
        (
            "UPDATE wallets SET available = available + 1",
            "its transfers leave",
        ),
        (
            "UPDATE wallets SET held = held + 1",
            "its open transactions cost",
        ),
        ("UPDATE wallets SET available = -1", "available -1"),
        (
            "UPDATE wallets SET available = 5 WHERE currency = 'CRD'",
            "in CRD: available 5",
        ),
        (
            "UPDATE transfers SET currency = 'NGN' WHERE kind = 'capture' AND currency = 'CRD'",
            "wallet shop in NGN",
        ),
        (
            "DELETE FROM wallets WHERE currency = 'CRD'",
            "transfers of shop in CRD",
        ),
        (
            "UPDATE wallets SET debits = debits + 1",
            "its statement has",
        ),
        (
            "UPDATE transfers SET available_after = available_after + 1 WHERE kind = 'hold'",
            "shows",
        ),
        (
            "UPDATE transfers SET position = position + 1000 WHERE kind = 'fund'",
            "statement line 1001",
        ),
        (
            "UPDATE transfers SET direction = NULL, position = NULL, nth = NULL,
                available_after = NULL
                WHERE id = (SELECT max(id) FROM transfers WHERE kind = 'release')",
            "is on no statement",
        ),
        (
            "UPDATE transfers SET debit_holder = 'x' WHERE kind = 'hold'",
            "transfers of x",
        ),
    ];
    check("I2", &offences).await;
}

#[tokio::test]
async fn i3_finds_a_hold_that_is_missing_doubled_or_never_ends() {
    let again = |kind: &str, into: &str| {
        format!(
            "ALTER TABLE transfers DROP CONSTRAINT transfers_once;
            INSERT INTO transfers (account, transaction, step, part, kind, debit_kind, debit_holder,
                credit_kind, credit_holder, amount, currency, at)
            SELECT account, transaction, step, part, '{into}', debit_kind, debit_holder,
                credit_kind, credit_holder, amount, currency, at
            FROM transfers WHERE kind = '{kind}' LIMIT 1"
        )
    };
    let offences = [
        ("DELETE FROM transfers WHERE kind = 'hold'", "with 0 holds"),
        ("DELETE FROM transfers WHERE kind = 'capture'", "0 captures"),
        ("DELETE FROM transfers WHERE kind = 'release'", "0 releases"),
        (
            "DELETE FROM transfers WHERE kind = 'transfer_out'",
            "0 transfers out",
        ),
        (
            "DELETE FROM transfers WHERE kind = 'transfer_in'",
            "1 transfers out and 0 in",
        ),
        (
            "DELETE FROM transfers WHERE kind = 'reversal'",
            "0 reversals",
        ),
        (&again("hold", "hold"), "with 2 holds"),
        (&again("capture", "release"), "1 captures, 1 releases"),
        (&again("release", "release"), "2 releases"),
        (
            "UPDATE transactions SET state = 'in_doubt' WHERE state = 'successful'",
            "is in_doubt",
        ),
    ];
    check("I3", &offences).await;
}

#[tokio::test]
async fn i15_finds_money_out_of_nothing() {
    let offences = [
        (
            "UPDATE wallets SET available = available + 1",
            "all balances in NGN together are",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'fund'",
            "all balances in NGN",
        ),
        (
            "UPDATE wallets SET available = available + 1 WHERE currency = 'CRD'",
            "all balances in CRD together are",
        ),
        (
            "UPDATE transfers SET currency = 'NGN' WHERE kind = 'capture' AND currency = 'CRD'",
            "all balances in NGN together are",
        ),
    ];
    check("I15", &offences).await;
}

#[tokio::test]
async fn i16_finds_another_price_than_the_one_quoted() {
    let offences = [
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'hold'",
            "hold of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'capture'",
            "capture of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'release'",
            "release of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'reversal'",
            "reversal of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'loss'",
            "loss of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'margin'",
            "leaves its provider",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'vat'",
            "vat of",
        ),
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'levy_reversal'",
            "levy_reversal of",
        ),
        (
            "UPDATE transfers SET kind = 'margin', credit_kind = 'commission_revenue'
                WHERE kind = 'vat'",
            "of fee, 0 of VAT",
        ),
        (
            "UPDATE transfers SET kind = 'margin', credit_kind = 'commission_revenue'
                WHERE kind = 'charge' AND (account, transaction) IN (
                    SELECT account, transaction FROM transfers WHERE kind = 'vat'
                )",
            "keeps 0 of fee",
        ),
        (
            "DELETE FROM transfers WHERE kind = 'loss'",
            "has 0 losses, 0 of them undone, for 1",
        ),
        (
            "UPDATE attempts_ended SET taken_back_at = 1 WHERE contradicted_at IS NOT NULL",
            "has 1 losses, 0 of them undone, for 1 contradicted attempts, 1 of them taken back",
        ),
    ];
    check("I16", &offences).await;
}

#[tokio::test]
async fn i21_finds_a_cost_that_no_provider_reported() {
    let booked = "INSERT INTO transfers (
            account, transaction, step, part, id, kind, debit_kind, credit_kind, credit_holder,
            amount, currency, at
        )
        SELECT account, transaction, 16, 1000000, 1000000, 'cost_difference', 'cost_variance',
            'float', credit_holder, 100, currency, 0
        FROM transfers WHERE kind = 'capture' LIMIT 1";
    check("I21", &[(booked, "has 100 booked beside its cost")]).await;
    let elsewhere = booked.replace("'float', credit_holder", "'float', 'x'");
    check("I1", &[(&elsewhere, "to float x")]).await;
}

#[tokio::test]
async fn i21_finds_a_hold_of_which_another_part_was_given_back() {
    let altered = "UPDATE transfers SET amount = amount + 1 WHERE kind = 'unused'";
    check("I16", &[(altered, "capture of")]).await;
    check("I21", &[(altered, "of its hold back")]).await;
    let missing = "DELETE FROM transfers WHERE kind = 'unused'";
    check("I16", &[(missing, "unused 0")]).await;
    // The books are coherent; only what was used says otherwise.
    let charged_more = "UPDATE transfers
        SET amount = amount + CASE kind WHEN 'unused' THEN -1 ELSE 1 END
        WHERE kind IN ('unused', 'capture', 'reversal') AND (account, transaction) IN (
            SELECT account, transaction FROM transfers WHERE kind = 'unused'
        )";
    check("I21", &[(charged_more, "what was used makes")]).await;
    let earned_more = "UPDATE transfers SET amount = amount + 1
        WHERE kind = 'margin' AND (account, transaction) IN (
            SELECT account, transaction FROM transfers WHERE kind = 'unused'
        )";
    check("I21", &[(earned_more, "what was used makes")]).await;
    let instead = "UPDATE transfers SET kind = 'unused' WHERE kind = 'release'";
    check(
        "I3",
        &[(
            instead,
            "0 captures, 0 releases, 0 reversals, 0 transfers out and 0 in, 1 unused",
        )],
    )
    .await;
}

#[tokio::test]
async fn i21_finds_a_transfer_that_brought_more_than_its_order_says() {
    let more = "UPDATE transfers SET amount = amount + 1 WHERE kind = 'transfer_in'";
    check("I21", &[(more, "brought 25001; its order says 25000")]).await;
}

#[tokio::test]
async fn i24_finds_what_left_one_account_and_is_not_at_the_other() {
    let offences = [
        (
            "UPDATE transfers SET amount = amount + 1 WHERE kind = 'user_credit'",
            "sent 100000 NGN to another account; 100001 arrived at kiosk",
        ),
        (
            "UPDATE transfers SET credit_holder = 'shop' WHERE kind = 'user_credit'",
            "sent 100000 NGN to another account; 100000 arrived at kiosk",
        ),
        (
            "DELETE FROM user_credits",
            "credits kiosk 100000 NGN, which no transaction sent",
        ),
        (
            "DELETE FROM user_credits",
            "sent 100000 NGN to another account; nothing arrived at none",
        ),
    ];
    check("I24", &offences).await;
    let elsewhere = "UPDATE accounts SET environment = 'live' WHERE id = 'kiosk'";
    check("I24", &[(elsewhere, "in test paid kiosk in live")]).await;
}

#[tokio::test]
async fn i26_finds_a_day_that_cost_more_than_counts() {
    let wallet = "account = 'shop' AND currency = 'NGN'";
    let less = format!("UPDATE wallets SET counted_from = 0, spent = 1 WHERE {wallet}");
    let below = format!("UPDATE wallets SET spent = -1 WHERE {wallet}");
    let offences = [
        (
            &*less,
            "counts 1 as spent since 0; its payments since then cost",
        ),
        (&*below, "counts -1 as spent"),
    ];
    check("I26", &offences).await;
}

#[tokio::test]
async fn i27_finds_a_confirmation_of_what_was_not_announced() {
    let offences = [
        (
            "DELETE FROM top_ups",
            "funding topup:7 of kiosk confirms a top-up that was not announced",
        ),
        (
            "UPDATE top_ups SET number = 70",
            "confirms a top-up that was not announced",
        ),
        (
            "UPDATE top_ups SET account = 'shop'",
            "confirms a top-up that was not announced",
        ),
        (
            "UPDATE top_ups SET currency = 'CRD'",
            "is not in CRD, in which the top-up was announced",
        ),
    ];
    check("I27", &offences).await;
}

#[tokio::test]
async fn i12_finds_a_prefunding_that_was_taken_away() {
    let gap = "INSERT INTO prefundings VALUES (2, 'x', 'bank-1', 5, 'NGN', 'r', 'alpha', 0)";
    check("I12", &[(gap, "prefunding 2 follows 0")]).await;
}

#[tokio::test]
async fn i22_finds_what_is_of_the_other_environment() {
    let offences = [
        (
            "INSERT INTO provider_environments VALUES ('sandbox', 'live')",
            "has an attempt at sandbox, a provider of the live environment",
        ),
        (
            "UPDATE accounts SET environment = 'live'",
            "has an attempt at sandbox, a provider of the test environment",
        ),
        (
            "UPDATE api_keys SET hint = 'mk_live_K001'",
            "has the key mk_live_K001",
        ),
    ];
    check("I22", &offences).await;
}
