//! Books with a past, and a way into their tables past every guard. It must not plant through the
//! store itself: what the store would stop is what the audit has to find.

use domain::booking::{Appointment, Seat, StaffName};
use domain::change_set::{ChangeSet, Funding};
use domain::collection::{CollectedPayment, CollectionSource};
use ports::accounts::Accounts;
use ports::audit::{Audit, CheckOutcome, CheckResult, Serving};
use ports::bookings::{AppointmentWrite, Bookings as _, Seating, ServiceWrite};
use ports::changes::ProviderChanges;
use ports::collections::{CollectionCreation, Collections};
use ports::invoices::{InvoiceWrite, Invoices as _};
use ports::ledger_store::{CommitOutcome, LedgerStore as _};
use ports::recurring::{RecurringCreation, RecurringPayments as _};
use ports::refunds::{RefundCreation, Refunds as _};
use ports::top_ups::{TopUpCreation, TopUps as _};
use ports::webhooks::{EndpointRegistration, Endpoints};
use postgres::{PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::{Cluster, TestDatabase};
use testkit::builders::{
    START, account, appointment, batch, bookable_service, collected, credits, dead_letter,
    endpoint, funding, invoice, invoice_opening, payment_reference, payout, recurring, seat,
    top_up, voucher_steps,
};
use testkit::strategies::{every_state, refunded};

/// Lets offences in that a constraint would stop.
const UNCONSTRAINED: &str = "
    DO $$
    DECLARE
        guard record;
    BEGIN
        FOR guard IN
            SELECT conrelid::regclass AS at, conname FROM pg_constraint
            WHERE contype = 'c' AND connamespace = 'public'::regnamespace
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', guard.at, guard.conname);
        END LOOP;
    END
    $$;";

/// A database in which every kind of transaction has happened.
pub(crate) struct AuditedDatabase(TestDatabase);

impl AuditedDatabase {
    pub(crate) async fn lived_in() -> Self {
        let books = Self(Cluster::shared().database());
        migrate(&books.0.url(), &Roles::default()).await.unwrap();
        let store = books.open().await;
        live(&store).await;
        store.close().await;
        books
    }

    pub(crate) async fn open(&self) -> PostgresStore {
        PostgresStore::connect(
            &self.0.url(),
            &PostgresOptions::default(),
            crate::stage::sealing(),
        )
        .await
        .unwrap()
    }

    pub(crate) fn copy(&self) -> Self {
        Self(self.0.copy())
    }

    /// Runs SQL as the owner may.
    pub(crate) fn run(&self, sql: &str) {
        let _ = self.0.psql(sql);
    }

    /// Plants rows while the triggers look away.
    pub(crate) fn plant(&self, sql: &str) {
        self.run(&format!("SET session_replication_role = replica; {sql};"));
    }

    /// The lines that break an invariant; none where it holds.
    pub(crate) async fn offences(&self, invariant: &str) -> Vec<String> {
        let store = self.open().await;
        let results = store.audit(START, Serving::Yes).await.unwrap();
        store.close().await;
        match outcome(&results, invariant) {
            CheckOutcome::Broken { offences } => offences,
            CheckOutcome::Holds { .. } | CheckOutcome::NotApplicable { .. } => Vec::new(),
        }
    }
}

async fn live(store: &PostgresStore) {
    let histories = every_state();
    let mut owners: Vec<_> = histories
        .iter()
        .map(|it| it.opening.transaction.account.to_string())
        .chain(["kiosk".to_owned()])
        .collect();
    owners.sort();
    owners.dedup();
    for owner in owners {
        let new = account(&owner).with_balance("10,000,000.00").new_account();
        store.create(&new).await.unwrap();
        let received = store
            .register(
                &endpoint(&owner, 1),
                &testkit::builders::noted_change(&owner),
            )
            .await;
        assert_eq!(received.unwrap(), EndpointRegistration::Done);
        let paid_in = Funding {
            amount: credits("1,000.00"),
            ..funding(&owner, "credits", "1.00")
        };
        let paid_in = store.commit(ChangeSet::Fund(paid_in)).await;
        assert_eq!(paid_in.unwrap(), CommitOutcome::Done);
    }
    for mut history in histories {
        let opening = ChangeSet::Open(Box::new(history.opening));
        assert_eq!(store.commit(opening).await.unwrap(), CommitOutcome::Done);
        for step in history.steps.drain(..) {
            let step = ChangeSet::Advance(Box::new(step));
            assert_eq!(store.commit(step).await.unwrap(), CommitOutcome::Done);
        }
    }
    let items = (901..=903).map(|n| payout().nth(n).priced("1.00").queued(START, START));
    let described = batch("run-1", items).change();
    assert_eq!(store.commit(described).await.unwrap(), CommitOutcome::Done);
    let announced = top_up("kiosk", 7, "top-1");
    let made = store.create_top_up(&announced).await.unwrap();
    assert_eq!(made, TopUpCreation::Done);
    let under = announced.funding_reference();
    let confirmed = ChangeSet::Fund(funding("kiosk", under.as_str(), "50,000.00"));
    assert_eq!(store.commit(confirmed).await.unwrap(), CommitOutcome::Done);
    for (mut history, asked) in refunded("kiosk") {
        let opening = ChangeSet::Open(Box::new(history.opening));
        assert_eq!(store.commit(opening).await.unwrap(), CommitOutcome::Done);
        for step in history.steps.drain(..) {
            let step = ChangeSet::Advance(Box::new(step));
            assert_eq!(store.commit(step).await.unwrap(), CommitOutcome::Done);
        }
        let created = store.create_refund(&asked).await.unwrap();
        assert_eq!(created, RefundCreation::Done);
    }
    collects(store).await;
    bills(store).await;
    appointments(store).await;
    for step in voucher_steps("kiosk") {
        assert_eq!(store.commit(step).await.unwrap(), CommitOutcome::Done);
    }
    let letter = dead_letter(1, "a.order-1.1", 0);
    store.set_aside(&letter, 1).await.unwrap();
    assert!(store.resolve(&letter.id, START).await.unwrap());
}

pub(crate) fn outcome(results: &[CheckResult], invariant: &str) -> CheckOutcome {
    let result = results.iter().find(|result| result.invariant == invariant);
    result
        .unwrap_or_else(|| panic!("{invariant} is not judged"))
        .outcome
        .clone()
}

/// Plants each offence in a copy of its own; the invariant must be broken by a line that says so.
pub(crate) async fn check(invariant: &str, offences: &[(&str, &str)]) {
    let template = AuditedDatabase::lived_in().await;
    assert_eq!(template.offences(invariant).await, [""; 0]);
    template.run(UNCONSTRAINED);
    for (sql, expected) in offences {
        let books = template.copy();
        books.plant(sql);
        let lines = books.offences(invariant).await;
        let said = lines.iter().any(|line| line.contains(expected));
        assert!(
            said,
            "{invariant} after {sql}: {lines:#?} do not say {expected:?}"
        );
    }
}

/// Makes each change in a copy of its own; the invariant must hold all the same.
pub(crate) async fn holds_after(invariant: &str, changes: &[&str]) {
    let template = AuditedDatabase::lived_in().await;
    for sql in changes {
        let books = template.copy();
        books.plant(sql);
        let lines = books.offences(invariant).await;
        assert_eq!(lines, [""; 0], "{invariant} after {sql}");
    }
}

/// A payment reference, and a payment under it.
async fn collects(store: &PostgresStore) {
    let to = payment_reference("kiosk", 5);
    let created = store.create_collection(&to).await.unwrap();
    assert_eq!(created, CollectionCreation::Done);
    let paid = CollectedPayment {
        source: CollectionSource::Sandbox,
        ..collected(&to, (6, "session-6"), "250.00")
    };
    let paid = ChangeSet::Collect(Box::new(paid));
    assert_eq!(store.commit(paid).await.unwrap(), CommitOutcome::Done);
    let daily = recurring("kiosk", 1, "daily");
    let created = store.create_recurring(&daily).await.unwrap();
    assert_eq!(created, RecurringCreation::Done);
}

/// A draft, an invoice of which a part was paid, and one that is void.
async fn bills(store: &PostgresStore) {
    let draft = invoice("kiosk", 40);
    let created = store.create_invoice(&draft, None).await.unwrap();
    assert_eq!(created, InvoiceWrite::Done(Box::new(draft)));
    let mut opened = Vec::new();
    for number in [41, 42] {
        let (wanted, opening) = (invoice("kiosk", number), invoice_opening(number));
        let created = store.create_invoice(&wanted, Some(&opening)).await;
        let InvoiceWrite::Done(created) = created.unwrap() else {
            panic!("invoice {number} was not created");
        };
        opened.push(created);
    }
    let [paid, void] = opened.as_slice() else {
        panic!("two invoices in {opened:?}");
    };
    let payment = CollectedPayment {
        source: CollectionSource::Sandbox,
        ..collected(&paid.bill().unwrap(), (43, "session-43"), "1,000.00")
    };
    let payment = ChangeSet::Collect(Box::new(payment));
    assert_eq!(store.commit(payment).await.unwrap(), CommitOutcome::Done);
    let voided = store.void_invoice(void).await.unwrap();
    assert_eq!(voided, InvoiceWrite::Done(Box::new(void.voided())));
}

/// Two appointments that share a time, one that follows them, and one with another person.
async fn appointments(store: &PostgresStore) {
    let service = bookable_service("kiosk", 1);
    let created = store.create_service(&service).await.unwrap();
    assert_eq!(created, ServiceWrite::Done);
    for (number, minutes, staff) in [
        (51, 60, "Ada"),
        (52, 60, "Ada"),
        (53, 90, "Ada"),
        (54, 75, "Bola"),
    ] {
        let seat = Seat {
            staff: StaffName::parse(staff).ok(),
            capacity: 2,
            ..seat(minutes)
        };
        let wanted = Appointment {
            seat: seat.clone(),
            ..appointment("kiosk", number, minutes)
        };
        let seating = Seating {
            seats: &[seat],
            version: 1,
            now: wanted.created_at,
        };
        let booked = store.book(&wanted, seating).await.unwrap();
        assert_eq!(booked, AppointmentWrite::Done(Box::new(wanted)));
    }
}
