//! The laws of the storage ports. Each takes an empty store, and every adapter runs them all
//! through [`storage_contract!`](crate::storage_contract). No law may look behind the ports.

mod access_ports;
mod accounts;
mod adjusting;
mod advancing;
mod allowlists;
mod auditing;
mod backlog;
mod balance_readings;
mod batching;
mod booking;
mod catalogue;
mod change_requests;
mod changes;
mod claiming;
mod collections;
mod environments;
mod exchanging;
mod families;
mod float_tranches;
mod floats;
mod freezing;
mod funding;
mod grouping;
mod incoming;
mod invoicing;
mod keeping;
mod keys;
mod laws;
mod listing;
mod message_ids;
mod opening;
mod operators;
mod own_references;
mod port_groups;
mod queue_turns;
mod queueing;
mod racing;
mod reconciling;
mod recording;
mod recurring;
mod refunds;
mod report_files;
mod reporting;
mod request_log;
mod retention;
mod secret_proofs;
mod senders;
mod sending;
mod settling;
mod setup;
mod shared_laws;
mod spending;
mod statements;
mod top_ups;
mod unsettled;
mod user_transfers;
mod users;
mod vouchers;
mod wallets;

pub use crate::model::agrees_with_reference;
pub use accounts::*;
pub use adjusting::*;
pub use advancing::*;
pub use allowlists::*;
pub use auditing::*;
pub use backlog::*;
pub use balance_readings::*;
pub use batching::*;
pub use booking::*;
pub use catalogue::*;
pub use change_requests::*;
pub use changes::*;
pub use claiming::*;
pub use collections::*;
pub use environments::*;
pub use exchanging::*;
pub use families::*;
pub use float_tranches::*;
pub use floats::*;
pub use freezing::*;
pub use funding::*;
pub use grouping::*;
pub use incoming::*;
pub use invoicing::*;
pub use keeping::*;
pub use keys::*;
pub use listing::*;
pub use message_ids::*;
pub use opening::*;
pub use operators::*;
pub use own_references::*;
pub use queue_turns::*;
pub use queueing::*;
pub use racing::*;
pub use reconciling::*;
pub use recording::*;
pub use recurring::*;
pub use refunds::*;
pub use report_files::*;
pub use reporting::*;
pub use request_log::*;
pub use retention::*;
pub use secret_proofs::*;
pub use senders::*;
pub use sending::*;
pub use settling::*;
pub use setup::Stores;
pub use spending::*;
pub use statements::*;
pub use top_ups::*;
pub use unsettled::*;
pub use user_transfers::*;
pub use users::*;
pub use vouchers::*;
pub use wallets::*;

#[cfg(test)]
mod tests {
    #[test]
    fn every_law_is_on_the_list_that_adapters_run() {
        let laws = [
            include_str!("accounts.rs"),
            include_str!("adjusting.rs"),
            include_str!("advancing.rs"),
            include_str!("auditing.rs"),
            include_str!("balance_readings.rs"),
            include_str!("catalogue.rs"),
            include_str!("changes.rs"),
            include_str!("claiming.rs"),
            include_str!("environments.rs"),
            include_str!("exchanging.rs"),
            include_str!("families.rs"),
            include_str!("float_tranches.rs"),
            include_str!("floats.rs"),
            include_str!("funding.rs"),
            include_str!("listing.rs"),
            include_str!("message_ids.rs"),
            include_str!("backlog.rs"),
            include_str!("opening.rs"),
            include_str!("change_requests.rs"),
            include_str!("operators.rs"),
            include_str!("own_references.rs"),
            include_str!("batching.rs"),
            include_str!("grouping.rs"),
            include_str!("keeping.rs"),
            include_str!("booking.rs"),
            include_str!("incoming.rs"),
            include_str!("invoicing.rs"),
            include_str!("keys.rs"),
            include_str!("queue_turns.rs"),
            include_str!("queueing.rs"),
            include_str!("racing.rs"),
            include_str!("reconciling.rs"),
            include_str!("report_files.rs"),
            include_str!("reporting.rs"),
            include_str!("request_log.rs"),
            include_str!("retention.rs"),
            include_str!("secret_proofs.rs"),
            include_str!("senders.rs"),
            include_str!("sending.rs"),
            include_str!("settling.rs"),
            include_str!("statements.rs"),
            include_str!("collections.rs"),
            include_str!("recurring.rs"),
            include_str!("refunds.rs"),
            include_str!("top_ups.rs"),
            include_str!("unsettled.rs"),
            include_str!("user_transfers.rs"),
            include_str!("users.rs"),
            include_str!("vouchers.rs"),
            include_str!("wallets.rs"),
        ];
        let lists = [include_str!("laws.rs"), include_str!("shared_laws.rs")];
        let lists = lists.into_iter().flat_map(str::lines);
        let listed: Vec<_> = lists.map(str::trim).collect();
        let written = laws.iter().flat_map(|file| file.lines());
        let written = written.filter_map(|line| line.strip_prefix("pub async fn "));
        let names: Vec<_> = written.filter_map(|law| law.split('(').next()).collect();
        assert!(names.len() > 50, "{names:?}");
        for name in names {
            assert!(listed.contains(&name), "{name} is not in storage_contract!");
        }
    }
}
