-- What the role of operators may do beside what a server may: the commands that open accounts, make
-- and revoke keys, pay in, decide about senders, and acknowledge what a restored database lost, and
-- the log that each act is signed in.
GRANT INSERT ON accounts, api_keys, wallets, senders, fundings, reconciliations,
    unsettled_references, prefundings, operator_log, catalogue_versions, refund_decisions,
    collected_payments TO manilla_operator;
GRANT UPDATE (status, message_currency, email, phone) ON accounts TO manilla_operator;
GRANT UPDATE (counted_at) ON float_reserves TO manilla_operator;
GRANT UPDATE (confirmed) ON queue TO manilla_operator;
GRANT UPDATE (revoked_at) ON api_keys TO manilla_operator;
GRANT UPDATE (low_balance_threshold) ON wallets TO manilla_operator;
GRANT UPDATE (status, decided_at) ON senders TO manilla_operator;
