//! Banks, accounts and payouts. It must never decide whether an account exists: only its bank can.
