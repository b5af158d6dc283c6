//! The statements about subscriptions. None may change what a subscription buys.

/// The columns that `subscription` reads, each subscription with its run in hand.
macro_rules! subscriptions {
    () => {
        "SELECT s.account, s.number, s.reference, s.service, s.purchase, s.run_interval, s.start_at,
            s.run_limit, s.time_zone, s.on_failure, s.made_by, s.made_by_user, s.asked, s.seal,
            s.created_at, s.version, s.status, s.next_run, s.open_run, s.bought, s.last_at,
            s.look_at, s.is_pause, r.run, r.due_at, r.tries, r.retries, r.state, r.refusal, r.at
        FROM subscriptions AS s
        LEFT JOIN subscription_runs AS r
            ON r.account = s.account AND r.subscription = s.number AND r.run = s.open_run"
    };
}

/// What stands in the way of a subscription: no such account, its number, its reference, and how
/// many are not over. One row.
pub(crate) const OBSTACLES: &str = "
    SELECT
        NOT EXISTS (SELECT 1 FROM accounts WHERE id = ?1),
        EXISTS (SELECT 1 FROM subscriptions WHERE account = ?1 AND number = ?2),
        EXISTS (SELECT 1 FROM subscriptions WHERE account = ?1 AND reference = ?3),
        (SELECT count(*) FROM subscriptions
            WHERE account = ?1 AND status IN ('Active', 'Failing', 'Paused'))";

pub(crate) const INSERT: &str = "
    INSERT INTO subscriptions (
        account, number, reference, service, purchase, run_interval, start_at, run_limit, time_zone,
        on_failure, made_by, made_by_user, asked, seal, created_at, version, status, next_run,
        open_run, bought, last_at, look_at, is_pause
    ) VALUES (
        ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, NULL, ?19,
        ?20, ?21, ?22
    )";

pub(crate) const BY_REFERENCE: &str = concat!(
    subscriptions!(),
    " WHERE s.account = ?1 AND s.reference = ?2"
);

pub(crate) const BY_NUMBER: &str =
    concat!(subscriptions!(), " WHERE s.account = ?1 AND s.number = ?2");

pub(crate) const PAGES: [&str; 2] = [
    concat!(
        subscriptions!(),
        " WHERE s.account = ?1 ORDER BY s.created_at, s.number LIMIT ?3 OFFSET ?2"
    ),
    concat!(
        subscriptions!(),
        " WHERE s.account = ?1 ORDER BY s.created_at DESC, s.number DESC LIMIT ?3 OFFSET ?2"
    ),
];

pub(crate) const COUNT: &str = "SELECT count(*) FROM subscriptions WHERE account = ?1";

pub(crate) const DUE: &str = concat!(
    subscriptions!(),
    " WHERE s.look_at <= ?1 ORDER BY s.look_at LIMIT ?2"
);

pub(crate) const STEP: &str = "
    UPDATE subscriptions SET
        version = version + 1, status = ?4, next_run = ?5, open_run = ?6, bought = ?7, last_at = ?8,
        look_at = ?9, is_pause = ?10
    WHERE account = ?1 AND number = ?2 AND version = ?3";

pub(crate) const PUT_OFF: &str = "
    UPDATE subscriptions SET look_at = ?4, is_pause = 1
    WHERE account = ?1 AND number = ?2 AND version = ?3 AND look_at IS NOT NULL";

pub(crate) const BOUND: &str = "
    UPDATE subscriptions SET look_at = ?1 WHERE look_at > ?1 AND is_pause = 1";

pub(crate) const CHANGE_RUN: &str = "
    UPDATE subscription_runs SET
        tries = ?4, retries = ?5, state = ?6, refusal = ?7, reference = ?8, at = ?9
    WHERE account = ?1 AND subscription = ?2 AND run = ?3";

pub(crate) const ADD_RUN: &str = "
    INSERT INTO subscription_runs (
        account, subscription, run, tries, retries, state, refusal, reference, at, due_at
    ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

pub(crate) const RUNS: &str = "
    SELECT run, due_at, tries, retries, state, refusal, at FROM subscription_runs
    WHERE account = ?1 AND subscription = ?2 AND run BETWEEN ?3 AND ?4 ORDER BY run";
