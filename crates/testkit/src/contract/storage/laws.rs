//! The laws that every store is run against, by name.

/// Makes one test of every law of the storage ports. `$make` is called, without arguments, for each
/// test and must answer a future of [`Stores`](super::Stores) over an empty store.
///
/// ```text
/// async fn an_empty_store() -> Stores {
///     Stores::of(MemoryStore::new())
/// }
/// testkit::storage_contract!(an_empty_store);
/// ```
#[macro_export]
macro_rules! storage_contract {
    ($make:expr) => {
        $crate::storage_contract!(@laws $make;
            opening_stores_the_transaction_and_sets_its_price_aside
            a_balance_of_exactly_the_price_is_enough
            a_price_beyond_the_balance_stores_nothing
            a_refused_opening_leaves_its_reference_key_and_number_free
            an_unknown_account_opens_nothing
            a_suspended_account_opens_nothing
            a_reference_used_before_answers_the_existing_transaction
            two_accounts_may_use_the_same_reference_and_key
            a_key_used_before_answers_the_existing_transaction
            a_number_used_before_opens_nothing
            two_accounts_may_have_the_same_number
            guards_are_reported_in_their_order

            an_exchange_is_over_as_it_is_stored
            an_exchange_is_on_the_statements_of_both_wallets
            an_exchange_that_is_refused_moves_nothing
            an_exchange_uses_its_reference_up
            a_transfer_to_an_account_is_over_as_it_is_stored
            a_transfer_to_an_account_is_on_both_statements
            a_transfer_to_an_account_that_is_refused_moves_nothing
            accounts_pay_one_another_at_the_same_time
            what_no_account_has_claimed_is_held
            a_transfer_is_claimable_once_an_account_has_the_address
            a_transfer_is_claimed_once
            a_transfer_is_claimed_or_comes_back
            nothing_is_claimed_while_payments_are_suspended
            a_suspended_account_pays_no_other
            a_suspended_account_is_paid_by_no_other
            a_claim_that_is_refused_moves_nothing

            a_credit_is_made_once_per_reference
            two_accounts_may_be_credited_under_the_same_reference
            a_credit_may_share_its_reference_with_a_purchase
            an_unknown_account_is_never_credited
            a_suspended_account_can_still_be_credited

            a_second_attempt_is_kept_with_its_provider
            a_success_captures_exactly_the_price
            a_failure_releases_exactly_the_price
            a_reversal_returns_exactly_the_price
            a_late_delivery_books_the_loss_and_leaves_the_wallet
            a_late_delivery_that_is_taken_back_undoes_the_loss
            an_advance_stores_the_state_its_transfers_and_its_event_together
            a_version_conflict_answers_the_current_transaction_and_changes_nothing
            a_repeated_advance_is_a_conflict
            a_suspended_account_is_still_settled
            events_are_numbered_without_a_gap
            the_unknown_reads_as_nothing
            what_is_not_final_is_listed_by_state_oldest_first
            when_a_payment_is_looked_at_next_is_known_until_it_is_final
            open_payments_are_counted_by_state_and_age
            queued_payments_are_counted
            a_second_attempt_counts_for_its_own_provider
            a_store_that_works_can_be_read_and_written

            a_report_has_what_became_of_each_price
            a_report_as_of_a_moment_has_nothing_that_came_later
            the_transactions_of_a_report_are_read_in_parts
            a_report_has_the_transfers_that_settled
            a_report_has_what_other_accounts_paid
            the_transfers_of_a_report_are_read_in_parts
            what_settled_is_what_the_wallets_have_more
            an_account_has_one_file_under_way
            a_file_is_written_under_the_last_claim
            an_expired_file_is_removed_part_by_part
            an_account_has_so_many_files

            statement_lines_chain_from_balance_to_balance
            a_statement_is_read_in_pages
            a_statement_is_read_from_either_end
            a_statement_is_filtered_by_reference_and_direction
            a_statement_shows_nothing_of_other_accounts

            credits_never_pay_for_what_costs_money_nor_money_for_credits
            credits_are_settled_in_credits
            a_credit_in_one_currency_takes_its_reference_in_every_currency
            each_wallet_has_a_statement_of_its_own
            a_page_of_one_wallet_holds_nothing_of_another

            the_taxes_of_a_payout_are_booked_and_returned
            a_refused_payout_owes_nothing_to_the_state
            the_way_of_a_message_is_stored_with_its_events

            a_correction_is_made_once_per_reference
            a_correction_takes_no_more_than_can_be_spent
            a_correction_is_reported_with_its_direction

            a_proof_that_was_accepted_stays
            proofs_that_replace_others_are_all_that_counts

            an_account_keeps_its_environment
            a_provider_keeps_its_environment
            nothing_is_opened_at_a_provider_of_the_other_environment
            a_reference_that_was_used_answers_before_the_environment
            a_second_attempt_stays_in_the_environment_of_the_first
            an_attempt_in_the_other_environment_is_found_by_the_audit

            tranches_are_of_what_was_paid_in_less_what_is_spent_or_open
            money_paid_in_is_counted_at_the_next_lease
            a_tranche_that_is_released_is_free_again

            balances_that_were_read_are_kept_by_span_for_a_week
            an_older_reading_of_a_span_changes_nothing
            readings_of_a_provider_are_its_own

            money_paid_to_a_provider_is_entered_once
            a_reported_cost_is_booked_while_the_delivery_stands
            two_deliveries_of_one_payment_cost_what_each_took
            the_cost_of_a_late_delivery_is_booked_with_its_loss
            a_cost_that_cannot_be_compared_is_kept_and_not_booked

            a_sender_reads_back_as_it_was_registered
            a_sender_is_its_accounts_alone
            a_serial_number_and_a_name_are_taken_once
            an_unknown_account_registers_no_sender
            a_decision_about_a_sender_stays_until_the_next
            senders_are_listed_by_account_and_name

            a_message_is_found_by_what_its_provider_calls_each_part
            an_identity_means_the_message_that_got_it_last
            only_a_message_that_was_accepted_whole_is_called_so
            identities_are_forgotten_after_a_time

            a_request_of_an_operator_reads_back
            a_request_of_an_operator_follows_the_last
            an_entry_of_the_operators_log_reads_back
            an_entry_of_the_operators_log_follows_the_last
            what_only_operators_make_is_listed

            what_is_due_is_claimed_longest_due_first
            a_claim_takes_no_more_than_its_limit
            a_claim_lasts_until_its_lease_ends
            a_claim_changes_nothing_of_the_transaction
            an_advance_says_when_to_look_next
            what_is_settled_is_never_claimed
            nothing_undecided_is_due_later_than_the_longest_pause
            what_a_dead_process_held_becomes_due_at_once

            what_is_queued_is_paid_for_and_has_no_attempt
            what_is_queued_is_claimed_from_its_moment_on_and_is_never_due
            accounts_take_turns_in_the_queue
            an_account_alone_has_the_whole_claim_of_the_queue
            what_an_account_has_queued_is_claimed_in_the_order_it_is_due_in
            an_account_that_is_passed_over_leaves_its_turn_in_the_queue_to_others
            claimers_of_the_queue_never_share_a_place
            a_claim_of_the_queue_lasts_until_its_lease_ends
            what_leaves_the_queue_is_recorded_with_its_attempt
            what_leaves_the_queue_without_an_attempt_gives_its_price_back
            what_is_queued_leaves_the_queue_once
            while_payments_are_suspended_nothing_queued_is_sent
            a_suspended_account_sends_nothing_that_was_queued
            a_journal_shows_the_attempt_of_what_the_store_has_queued
            what_a_dead_process_claimed_of_the_queue_is_claimed_at_once
            what_was_queued_before_a_person_resumed_payments_is_not_confirmed

            a_batch_is_stored_with_all_its_payments
            a_batch_that_cannot_be_paid_for_whole_leaves_nothing
            a_reference_belongs_to_one_batch_or_one_payment
            a_key_belongs_to_one_batch
            a_batch_is_refused_for_whatever_an_opening_is
            how_far_a_batch_has_come_is_where_its_payments_stand
            the_payments_of_a_batch_come_in_parts
            the_batches_of_an_account_are_listed
            a_batch_that_is_to_stop_stops_with_its_first_failure
            batches_that_race_for_money_and_references_are_whole

            a_group_reads_back_as_it_was_made
            a_group_is_its_accounts_alone
            a_group_changes_from_the_version_that_was_seen
            of_changes_of_a_group_at_once_one_is_taken
            the_groups_of_an_account_come_in_parts
            an_account_has_so_many_groups_and_no_more

            a_kept_item_reads_back_as_it_was_kept
            a_kept_item_is_its_accounts_alone
            the_kept_items_of_an_account_come_in_parts
            an_account_keeps_so_many_items_and_no_more

            an_access_key_reads_back_as_it_was_made
            an_access_key_is_made_once
            a_revoked_access_key_stays_revoked
            a_name_has_two_access_keys_at_most
            of_access_keys_of_a_name_at_once_two_are_taken
            access_keys_have_limits
            an_access_key_comes_with_its_user
            a_user_reads_back_with_every_step
            steps_of_a_user_follow_one_another
            an_address_belongs_to_one_user
            the_users_of_an_account_come_in_parts
            users_have_limits

            a_limit_reads_back_and_its_latest_version_counts
            a_limit_changes_from_the_version_that_was_seen
            limits_are_set_so_often_in_a_day
            a_key_that_is_replaced_has_an_end
            every_change_is_recorded_by_its_commit
            changes_are_found_by_moment_and_kind
            changes_at_once_are_chained
            requests_read_back_newest_first_and_each_account_has_its_own
            requests_are_found_by_moment_status_and_id
            requests_beyond_what_is_kept_are_forgotten_of_their_account_alone
            requests_are_forgotten_once_they_are_old

            an_incoming_message_reads_back_and_is_its_accounts_alone
            an_incoming_message_is_recorded_once_for_its_provider
            an_incoming_message_that_comes_twice_at_once_is_recorded_once
            incoming_messages_are_found_by_channel_and_number
            the_last_message_of_a_conversation_is_known
            incoming_messages_are_forgotten_once_they_are_old_or_too_many
            approved_senders_are_found_by_their_name
            an_allowlist_reads_back_and_its_latest_version_counts
            an_allowlist_changes_from_the_version_before_it
            allowlists_are_changed_so_often_in_a_day
            a_key_that_takes_the_place_of_another_has_its_allowlist
            a_freeze_reads_back_and_its_latest_version_counts
            a_freeze_changes_from_the_version_before_it
            freezes_are_lifted_so_often_in_a_day
            what_is_frozen_opens_nothing
            what_is_frozen_leaves_the_queue_only_cancelled
            a_freeze_is_no_suspension
            payments_that_race_a_freeze_are_opened_before_it_or_not_at_all
            an_operators_freeze_is_another_than_the_merchants
            wallets_are_kept_for_what_was_set
            a_day_costs_no_more_than_its_limit
            payments_that_race_for_a_day_stay_within_its_limit
            what_was_spent_before_a_limit_was_set_counts
            what_waits_for_an_approval_is_sent_once_it_is_approved
            what_is_not_approved_gives_its_price_back
            what_waits_for_an_approval_comes_in_parts
            a_top_up_reads_back_as_it_was_announced
            a_number_and_a_reference_lead_to_one_top_up
            a_top_up_is_confirmed_by_the_funding_of_its_number
            a_confirmation_without_its_top_up_is_found
            the_open_top_ups_of_an_account_have_a_limit
            the_top_ups_of_an_account_come_in_parts
            what_is_not_confirmed_is_listed_by_its_end
            of_top_ups_of_a_reference_at_once_one_is_announced
            a_refund_reads_back_as_it_was_asked_for
            a_number_a_reference_and_a_payment_lead_to_one_refund
            a_refund_is_decided_once
            a_refund_is_completed_by_the_transfer_of_its_payment
            a_reversal_completes_a_refund_and_takes_one_back
            a_refund_without_its_approval_is_found
            the_refunds_of_an_account_come_in_parts
            the_refunds_that_wait_have_a_limit
            what_waits_for_a_decision_is_listed_oldest_first
            of_refunds_of_a_payment_at_once_one_is_stored
            a_subscription_reads_back_as_it_was_made
            a_number_and_a_reference_lead_to_one_subscription
            a_step_is_taken_from_the_version_that_was_read
            the_runs_of_a_subscription_come_in_parts
            what_is_due_of_subscriptions_is_found_until_it_is_put_off
            the_subscriptions_of_an_account_come_in_parts
            the_subscriptions_that_are_not_over_have_a_limit
            of_steps_at_once_one_begins_the_run
            a_run_without_its_payment_is_found
            a_payment_of_another_is_not_that_of_a_run
            a_collection_reads_back_as_it_was_made
            what_payers_type_is_one_collections
            a_collection_is_changed_from_the_version_that_was_seen
            a_session_is_credited_once
            payments_are_listed_by_collection_and_time
            the_collections_of_an_account_come_in_parts
            of_reports_of_a_session_at_once_one_is_credited
            a_session_is_of_one_account
            a_payment_that_cannot_be_booked_is_not_stored
            a_payment_without_its_act_is_found
            a_draft_reads_back_as_it_was_created
            opening_gives_a_number_and_makes_the_collection
            what_is_refused_uses_up_no_number
            dates_of_invoices_follow_their_numbers
            a_reference_of_a_collection_is_no_invoices
            an_invoice_is_paid_through_its_collection
            a_void_invoice_keeps_its_number
            the_invoices_of_an_account_come_in_parts
            invoices_that_are_opened_at_once_have_no_gap
            of_steps_of_an_invoice_at_once_one_is_written
            a_collection_unlike_its_invoice_is_found
            a_service_is_changed_from_the_version_that_was_seen
            the_services_of_an_account_have_a_limit
            an_appointment_reads_back_as_it_was_booked
            the_first_free_seat_is_given
            a_hold_lapses_unless_it_is_paid
            an_appointment_is_moved_to_a_free_seat
            of_a_thousand_at_once_each_time_is_given_once
            a_batch_and_its_codes_read_back_as_they_were_made
            codes_that_cannot_be_paid_for_are_not_made
            a_reference_makes_one_batch_and_redeems_one_code
            a_gift_card_is_used_up_in_parts
            a_voucher_gives_its_rest_back
            a_coupon_moves_no_money
            a_payment_is_lowered_by_one_code
            a_redemption_is_rolled_back_once
            a_code_is_ended_once_with_its_money
            codes_belong_to_one_account
            a_suspended_account_moves_no_code
            a_frozen_account_ends_its_codes_and_makes_none
            of_redemptions_of_a_code_at_once_one_is_made
            a_coupon_is_never_used_more_often_than_it_may_be

            the_newest_transactions_of_products_come_first
            a_range_of_transactions_has_two_ends_and_a_limit
            transactions_of_one_moment_are_in_the_order_of_their_numbers

            an_account_reads_back_with_its_key_and_opening_balance
            an_identity_is_taken_once
            identities_differ_by_case
            accounts_are_listed_by_identity
            an_account_is_found_by_each_thing_that_identifies_it
            a_contact_is_changed_from_what_was_known
            an_address_and_a_number_lead_to_one_account_of_an_environment
            messages_are_charged_to_the_wallet_that_was_set
            a_status_can_be_set_and_lifted
            a_third_key_revokes_the_oldest
            a_key_is_revoked_by_its_hint
            a_hint_that_two_keys_share_revokes_both
            every_key_is_revoked_at_once
            an_unknown_account_has_no_keys

            while_payments_are_suspended_only_a_journal_opens
            journalled_attempts_without_a_row_are_found
            the_last_whole_journal_resumes_payments
            what_needs_a_person_is_resumed_by_a_person
            a_reference_that_only_a_provider_knows_is_refused

            a_charged_reference_is_paid_for_once
            a_charge_beyond_the_balance_settles_nothing
            an_absorbed_reference_costs_the_merchant_nothing
            a_reference_that_was_not_delivered_may_be_used_again
            only_a_noted_reference_is_settled
            an_attempt_that_is_stored_again_is_settled_as_reopened
            a_later_attempt_of_an_open_transaction_can_only_be_reopened
            a_later_attempt_of_a_failed_transaction_is_the_gateways_loss
            one_reference_is_settled_of_many

            what_a_reference_may_stand_for_is_refused
            what_a_reference_may_stand_for_is_not_sent_from_the_queue
            a_loss_without_an_owner_keeps_the_reference_taken
            the_account_it_belongs_to_is_charged_once
            an_attempt_in_a_form_of_its_own_is_settled_as_reopened
            every_provider_that_is_wanted_is_compared_first

            the_last_kobo_is_spent_once
            one_reference_opens_one_transaction
            one_key_opens_one_transaction
            one_version_is_advanced_once
            one_credit_is_made_of_many
            one_account_is_made_of_many
            claimers_never_share_a_transaction

            an_attempt_that_is_being_sent_may_be_sent

            every_kind_of_transaction_reads_back_equal
            random_histories_read_back_equal
            the_audit_is_clean_after_random_histories
            the_audit_looks_at_what_is_stored
            attempts_are_listed_as_they_ended

            a_cursor_moves_forward_only
            a_cursor_of_a_store_that_was_set_back_stays_behind
            a_dead_letter_reads_back_as_it_was_put_there
            two_changes_at_one_position_are_two_dead_letters
            the_dead_letter_list_has_an_end
            dead_letters_are_due_again_after_a_try_in_vain
            a_dead_letter_that_was_applied_is_open_no_more
            the_audit_names_every_open_dead_letter
            a_wallet_at_the_largest_amount_takes_no_more

            old_meter_tokens_are_erased_and_nothing_else
            a_version_of_the_catalogue_reads_back
            a_version_of_the_catalogue_begins_a_minute_ahead
            a_number_of_the_catalogue_is_published_once
            one_version_of_the_catalogue_is_published_of_many
        );
    };
    (@laws $make:expr; $($law:ident)+) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $law() {
                let stores = ($make)().await;
                $crate::contract::storage::$law(&stores).await;
            }
        )+
    };
}
