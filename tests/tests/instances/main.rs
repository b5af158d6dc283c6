//! Several instances over one database: killed, replaced and asked at random, they are one gateway.
//! It must use PostgreSQL whatever the other suites of the run use, and end with the audit and the
//! journal.
#![cfg(test)]

mod agreement;
mod bookings;
mod bulk;
mod catalogue;
mod connections;
mod kills;
mod limits;
mod rolling;
mod takeover;
mod vouchers;
