//! The laws of the storage ports, run by the store of several instances on a database of its own:
//! all of them as the owner of the tables, and a choice as a server in the least role beside
//! operators in theirs.
#![cfg(test)]

mod stage;

use async_trait::async_trait;
use domain::change_set::ChangeSet;
use ports::PortError;
use ports::ledger_store::{CommitOutcome, LedgerStore};
use postgres::{PostgresOptions, PostgresStore, Roles, migrate};
use postgres_cluster::Cluster;
use std::sync::Arc;
use testkit::contract::storage::Stores;
use testkit::contract::webhooks::WebhookStores;

mod as_the_owner {
    use super::{Cluster, Stores, WebhookStores, store, webhook_store};

    async fn an_empty_store() -> Stores {
        let database = Cluster::shared().database();
        let url = database.url();
        store(&url).await.keeping(database)
    }

    testkit::storage_contract!(an_empty_store);
    testkit::shared_storage_contract!(an_empty_store);

    async fn an_empty_webhook_store() -> WebhookStores {
        let database = Cluster::shared().database();
        let url = database.url();
        let mut all = webhook_store(&url).await;
        all.stores = all.stores.keeping(database);
        all
    }

    testkit::webhooks_contract!(an_empty_webhook_store);
}

mod in_roles_of_their_own {
    use super::{Stores, WebhookStores, in_roles};

    async fn an_empty_webhook_store() -> WebhookStores {
        let (server, stores) = in_roles().await;
        WebhookStores::of(stores, server)
    }

    async fn an_empty_store() -> Stores {
        in_roles().await.1
    }

    // One law at least for every statement there is.
    testkit::storage_contract!(@laws an_empty_store;
        opening_stores_the_transaction_and_sets_its_price_aside
        a_key_used_before_answers_the_existing_transaction
        a_credit_is_made_once_per_reference
        a_reversal_returns_exactly_the_price
        a_late_delivery_books_the_loss_and_leaves_the_wallet
        a_late_delivery_that_is_taken_back_undoes_the_loss
        what_is_not_final_is_listed_by_state_oldest_first
        when_a_payment_is_looked_at_next_is_known_until_it_is_final
        a_statement_is_filtered_by_reference_and_direction
        the_taxes_of_a_payout_are_booked_and_returned
        the_way_of_a_message_is_stored_with_its_events
        a_sender_reads_back_as_it_was_registered
        a_decision_about_a_sender_stays_until_the_next
        senders_are_listed_by_account_and_name
        a_claim_lasts_until_its_lease_ends
        an_attempt_that_is_being_sent_may_be_sent
        what_a_dead_process_held_becomes_due_at_once
        an_account_reads_back_with_its_key_and_opening_balance
        messages_are_charged_to_the_wallet_that_was_set
        a_status_can_be_set_and_lifted
        a_third_key_revokes_the_oldest
        every_key_is_revoked_at_once
        every_kind_of_transaction_reads_back_equal
        the_audit_looks_at_what_is_stored
        attempts_are_listed_as_they_ended
        journalled_attempts_without_a_row_are_found
        the_last_whole_journal_resumes_payments
        what_needs_a_person_is_resumed_by_a_person
        a_reference_that_only_a_provider_knows_is_refused
        a_cursor_moves_forward_only
        a_dead_letter_reads_back_as_it_was_put_there
        dead_letters_are_due_again_after_a_try_in_vain
        a_dead_letter_that_was_applied_is_open_no_more
        an_identity_means_the_message_that_got_it_last
        only_a_message_that_was_accepted_whole_is_called_so
        identities_are_forgotten_after_a_time
        a_group_changes_from_the_version_that_was_seen
        a_request_of_an_operator_reads_back
        a_request_of_an_operator_follows_the_last
        requests_read_back_newest_first_and_each_account_has_its_own
        requests_are_found_by_moment_status_and_id
        requests_beyond_what_is_kept_are_forgotten_of_their_account_alone
        requests_are_forgotten_once_they_are_old
    );

    testkit::webhooks_contract!(@laws an_empty_webhook_store;
        an_endpoint_reads_back_as_it_was_registered
        what_waited_is_due_at_once_when_an_endpoint_is_enabled
        removing_an_endpoint_removes_what_was_for_it
        what_was_for_a_removed_endpoint_is_forgotten_a_part_at_a_time
        every_event_that_is_reported_is_delivered_as_it_was
        an_event_is_announced_to_one_or_to_all_subscribed_endpoints
        every_attempt_is_kept_in_its_order
        an_endpoint_that_is_gone_is_given_up_once
        deliveries_are_filtered_by_endpoint_and_by_what_is_parked
        deliveries_of_a_transaction_are_found_by_its_number
        a_delivery_that_is_asked_for_again_begins_anew
        a_range_is_asked_for_again_without_its_end
        only_what_was_delivered_is_forgotten
        what_an_account_has_beyond_its_quota_is_forgotten
    );
}

/// A store whose accounts, senders and acknowledgements are those of an operator and everything
/// else that of a server.
async fn in_roles() -> (Arc<PostgresStore>, Stores) {
    let database = Cluster::shared().database();
    let [server, operator] = ["server", "operator"].map(|what| {
        let role = format!("{}_{what}", database.name());
        let _ = database.psql(&format!("CREATE ROLE {role} LOGIN;"));
        role
    });
    let roles = Roles {
        server: Some(&server),
        operator: Some(&operator),
    };
    migrate(&database.url(), &roles).await.unwrap();
    let connect = async |role: &str| {
        let url = database.url().replace("manilla@", &format!("{role}@"));
        Arc::new(
            PostgresStore::connect(&url, &PostgresOptions::default(), crate::stage::sealing())
                .await
                .unwrap(),
        )
    };
    let (server, operator) = (connect(&server).await, connect(&operator).await);
    let mut stores = Stores::of(server.clone());
    stores.books = Arc::new(InRoles(server.clone(), operator.clone()));
    stores.accounts = operator.clone();
    stores.senders = operator.clone();
    stores.reconciliation = operator;
    (server, stores.keeping(database))
}

/// Money is paid in by operators; everything else is written by a server.
#[derive(Debug)]
struct InRoles(Arc<PostgresStore>, Arc<PostgresStore>);

#[async_trait]
impl LedgerStore for InRoles {
    async fn commit(&self, change: ChangeSet) -> Result<CommitOutcome, PortError> {
        let Self(server, operator) = self;
        let store = match change {
            // What a bank says is an operator's to record.
            ChangeSet::Fund(_) | ChangeSet::Collect(_) => operator,
            ChangeSet::Open(_)
            | ChangeSet::OpenBatch(_)
            | ChangeSet::Advance(_)
            | ChangeSet::Settle(_)
            | ChangeSet::Voucher(_) => server,
        };
        store.commit(change).await
    }
}

/// The store of the owner of the tables.
async fn store(url: &str) -> Stores {
    Stores::of(connected(url).await)
}

async fn webhook_store(url: &str) -> WebhookStores {
    let store = connected(url).await;
    WebhookStores::of(Stores::of(store.clone()), store)
}

async fn connected(url: &str) -> Arc<PostgresStore> {
    migrate(url, &Roles::default()).await.unwrap();
    let store = PostgresStore::connect(url, &PostgresOptions::default(), crate::stage::sealing())
        .await
        .unwrap();
    Arc::new(store)
}
