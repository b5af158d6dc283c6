//! The laws of endpoints and of what is delivered to them. Each takes an empty store, and every
//! store runs them all through [`webhooks_contract!`](crate::webhooks_contract). No law may look
//! behind the ports.

mod agreeing;
mod backlog;
mod claiming;
mod endpoints;
mod incoming;
mod listing;
mod money;
mod notifying;
mod of_transaction;
mod recording;
mod rounds;
mod setup;

pub use agreeing::*;
pub use backlog::*;
pub use claiming::*;
pub use endpoints::*;
pub use incoming::*;
pub use listing::*;
pub use money::*;
pub use notifying::*;
pub use of_transaction::*;
pub use recording::*;
pub use rounds::*;
pub use setup::WebhookStores;

/// Makes one test of every law of endpoints and deliveries. `$make` is called, without arguments,
/// for each test and must answer a future of [`WebhookStores`] over an empty store.
#[macro_export]
macro_rules! webhooks_contract {
    ($make:expr) => {
        $crate::webhooks_contract!(@laws $make;
            an_endpoint_reads_back_as_it_was_registered
            the_number_of_an_endpoint_is_taken_once_in_its_account
            an_unknown_account_registers_no_endpoint
            an_account_has_so_many_endpoints_and_no_more
            the_limit_of_endpoints_holds_at_once
            an_endpoint_is_its_accounts_alone
            a_rotation_makes_the_next_secret
            a_third_rotation_within_a_day_changes_nothing
            disabling_twice_keeps_the_first_cause
            what_waited_is_due_at_once_when_an_endpoint_is_enabled
            removing_an_endpoint_removes_what_was_for_it
            a_removed_endpoint_is_found_by_no_operation
            what_was_for_a_removed_endpoint_is_forgotten_a_part_at_a_time

            every_event_that_is_reported_is_delivered_as_it_was
            an_endpoint_receives_the_topics_it_asked_for
            an_event_is_sent_to_every_enabled_endpoint_of_its_account
            what_happened_before_an_endpoint_existed_is_not_delivered
            what_is_not_stored_is_not_reported
            what_changes_nothing_for_a_merchant_is_not_reported
            undelivered_events_of_one_transaction_show_it_as_it_was_at_each
            events_of_one_batch_keep_a_snapshot_each
            an_event_is_announced_to_one_or_to_all_subscribed_endpoints
            an_announced_event_is_found_by_its_identifier
            an_event_of_a_transaction_cannot_be_announced

            an_incoming_message_is_reported_once_to_its_account_alone
            an_event_of_an_incoming_message_comes_with_the_message
            an_incoming_message_stays_while_its_event_is_listed
            an_event_without_a_message_shows_none

            a_credit_is_reported_as_its_line_of_the_statement
            what_another_account_pays_is_reported_to_both
            a_credit_is_reported_once_to_each_subscribed_endpoint
            a_balance_is_low_once_each_time_it_falls
            each_wallet_is_low_by_itself
            a_balance_that_rises_and_falls_in_one_batch_is_low

            deliveries_are_claimed_longest_due_first
            a_claimed_delivery_is_due_again_when_its_lease_ends
            a_claim_takes_no_more_deliveries_than_it_may
            a_long_queue_leaves_room_for_others_and_fills_what_they_leave
            a_trial_goes_before_whatever_waits
            endpoints_that_are_busy_are_left_alone
            only_what_was_asked_for_by_itself_can_be_claimed
            a_claim_answers_all_that_a_delivery_needs
            deliveries_to_a_disabled_endpoint_are_not_claimed
            what_happened_later_is_not_tried_before_what_happened_earlier
            nothing_waits_for_another_transaction_or_another_endpoint
            a_suspended_account_is_still_notified
            claimers_never_share_a_delivery
            what_is_due_too_far_away_is_due_when_it_may_be_at_the_latest

            a_success_ends_a_delivery
            a_failure_is_due_again_when_it_says
            every_attempt_is_kept_in_its_order
            what_failed_too_often_is_parked
            a_result_that_is_not_the_next_is_noted_and_changes_nothing
            results_of_what_is_not_there_are_passed_over
            an_endpoint_fails_from_its_first_failure_to_its_next_success
            results_recorded_together_are_ordered_by_when_they_ended
            endpoints_fail_each_for_itself
            an_endpoint_that_is_gone_is_given_up_once
            others_are_notified_at_once_of_an_endpoint_that_is_given_up
            a_file_that_is_there_is_announced_once
            an_endpoint_that_fails_for_too_long_is_given_up
            results_give_up_no_endpoint_that_is_disabled
            many_results_are_recorded_together

            deliveries_are_read_in_pages_from_either_end
            what_waits_for_endpoints_is_counted
            deliveries_of_one_moment_are_in_the_order_of_their_events
            deliveries_are_filtered_by_endpoint_and_by_what_is_parked
            deliveries_of_a_transaction_are_found_by_its_number
            a_delivery_that_is_asked_for_again_begins_anew
            what_is_asked_for_alone_goes_first
            of_many_attempts_the_newest_are_shown
            a_page_of_an_endpoint_is_read_from_either_end
            a_range_is_asked_for_again_without_its_end
            more_than_may_be_asked_for_together_are_not
            what_is_not_there_cannot_be_asked_for_again
            an_event_that_is_asked_for_again_shows_what_it_showed
            only_what_was_delivered_is_forgotten
            what_an_account_has_beyond_its_quota_is_forgotten

            a_failure_of_an_earlier_round_does_not_count
            a_success_of_an_earlier_round_does_not_end_a_delivery
            results_of_the_round_that_is_on_count
            every_time_a_delivery_is_asked_for_is_a_round
            results_of_one_delivery_count_one_after_the_other
            all_attempts_of_a_delivery_may_be_recorded_together

            whatever_is_done_the_reference_store_agrees
        );
    };
    (@laws $make:expr; $($law:ident)+) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $law() {
                let stores = ($make)().await;
                $crate::contract::webhooks::$law(&stores).await;
            }
        )+
    };
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_stores_run() {
        let laws = [
            include_str!("agreeing.rs"),
            include_str!("backlog.rs"),
            include_str!("claiming.rs"),
            include_str!("endpoints.rs"),
            include_str!("incoming.rs"),
            include_str!("listing.rs"),
            include_str!("money.rs"),
            include_str!("of_transaction.rs"),
            include_str!("recording.rs"),
            include_str!("rounds.rs"),
            include_str!("notifying.rs"),
        ];
        let listed: Vec<_> = include_str!("mod.rs").lines().map(str::trim).collect();
        let written = laws.iter().flat_map(|file| file.lines());
        let written = written.filter_map(|line| line.strip_prefix("pub async fn "));
        let names: Vec<_> = written.filter_map(|law| law.split('(').next()).collect();
        assert!(names.len() > 30, "{names:?}");
        for name in names {
            assert!(
                listed.contains(&name),
                "{name} is not in webhooks_contract!"
            );
        }
    }
}
