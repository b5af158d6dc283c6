-- What the role of a server may do: read everything, add to what grows, change what may change. It
-- owns nothing, so it can neither rewrite the ledger nor remove what refuses to have it rewritten.
-- It opens no account, makes and revokes no key, pays nothing in and approves no sender: those are
-- the operators', who log in as another role.
GRANT USAGE ON SCHEMA public, audit TO manilla_server;
GRANT SELECT ON ALL TABLES IN SCHEMA public, audit TO manilla_server;
GRANT INSERT ON transactions, queue, batches, batch_items, payout_groups, messaging_library, top_ups, refunds,
    access_keys, access_key_revocations, access_keys_live, access_key_ends, account_users, account_user_steps,
    spending_limits, freezes, allowlists, account_changes, change_requests, voucher_batches, vouchers, voucher_redemptions, voucher_rollbacks, voucher_voids,
    voucher_targets, collections, collected_payments, invoices, bookable_services, appointments,
    subscriptions, subscription_runs,
    report_runs, report_parts, request_log, incoming_messages, attempts_open, attempts_ended, events, transfers, user_credits, endpoints,
    deliveries, delivery_leases, delivery_attempts, provider_cursors, dead_letters, message_ids,
    provider_environments, secret_proofs, balance_readings, float_reserves, float_tranches TO manilla_server;
GRANT UPDATE (reference, part, parts, whole, noted_at), DELETE ON message_ids TO manilla_server;
GRANT EXECUTE ON FUNCTION lock_account(text) TO manilla_server;
GRANT UPDATE (available, held, debits, credits, counted_from, spent, frozen, mac) ON wallets TO manilla_server;
GRANT UPDATE (state, version, sequence, updated_at, progress, progress_mac, token) ON transactions
    TO manilla_server;
GRANT UPDATE (number, state, provider_reference, provider, started_at, due_at, leased, instance)
    ON attempts_open TO manilla_server;
GRANT UPDATE (balance, uses_left, version) ON vouchers TO manilla_server;
GRANT UPDATE (admission, version) ON collections TO manilla_server;
GRANT UPDATE (stage, serial, opened_at, version) ON invoices TO manilla_server;
GRANT UPDATE (terms, version) ON bookable_services TO manilla_server;
GRANT UPDATE (
    resource, staff, starts_at, ends_at, busy_until, capacity, moved_from, stage, reason, version
) ON appointments TO manilla_server;
GRANT UPDATE (version, status, next_run, open_run, bought, last_at, look_at, is_pause) ON subscriptions
    TO manilla_server;
GRANT UPDATE (tries, retries, state, refusal, reference, at) ON subscription_runs TO manilla_server;
GRANT DELETE ON voucher_targets, attempts_open, queue, access_keys_live, request_log, incoming_messages TO manilla_server;
GRANT UPDATE (due_at, leased, instance, awaits_approval) ON queue TO manilla_server;
GRANT UPDATE (state, evidence, ended_at, contradicted_at, taken_back_at) ON attempts_ended
    TO manilla_server;
GRANT UPDATE (
    secret_version, secret_peppers, rotated_at, rotated_before, disabled_at, disabled_reason, failing_since, removed_at
) ON endpoints TO manilla_server;
GRANT UPDATE (
    attempts, due_at, delivered_at, parked_at, replay_count, answered_at, answer, requested
) ON deliveries TO manilla_server;
GRANT UPDATE (round, until) ON delivery_leases TO manilla_server;
GRANT DELETE ON endpoints, deliveries, delivery_leases, delivery_attempts TO manilla_server;
GRANT UPDATE (available, held, currency, said_at, read_at, is_low), DELETE ON balance_readings
    TO manilla_server;
GRANT UPDATE (version, name, member_count, members, updated_at), DELETE ON payout_groups
    TO manilla_server;
GRANT DELETE ON messaging_library TO manilla_server;
GRANT UPDATE (
    state, row_count, byte_count, part_count, sha256, claim, due_at, expires_at
), DELETE ON report_runs TO manilla_server;
GRANT UPDATE (content), DELETE ON report_parts TO manilla_server;
GRANT UPDATE (free, counted_at) ON float_reserves TO manilla_server;
GRANT DELETE ON float_tranches TO manilla_server;
GRANT UPDATE (position, read_at) ON provider_cursors TO manilla_server;
GRANT UPDATE (reason, tried_at, tries, due_at, resolved_at) ON dead_letters TO manilla_server;
GRANT UPDATE (token, seen_at, prices) ON instances TO manilla_server;
GRANT UPDATE (
    number, system_identifier, timeline, database, relation, pepper, suspended_since, suspended_reason,
    suspension, clearance
) ON database_identity TO manilla_server;
GRANT INSERT, UPDATE (ended_at, compared, missing) ON journals TO manilla_server;
GRANT UPDATE (
    settled_at, settled_by, settlement, amount, currency, payer, payer_reference
) ON unsettled_references TO manilla_server;
GRANT USAGE ON SEQUENCE transfers_id, instances_token, delivery_attempts_id_seq
    TO manilla_server;
