//! The operations of every family, one file each. Nothing here may describe the form of an answer:
//! that is inferred from the samples.

mod access;
mod account;
mod airtime;
mod bank;
mod bill;
mod booking;
mod bulk;
mod bulk_messages;
mod cabletv;
mod card;
mod checkout;
mod collection;
mod electricity;
mod geolocation;
mod group;
mod hlr;
mod incoming;
mod international;
mod internet;
mod invoice;
mod ivr;
mod messaging_library;
mod mobile_money;
mod operations;
mod paid_lookup;
mod payroll;
mod process;
mod rcs;
mod refund;
mod report_runs;
mod reporting;
mod security;
mod sms;
mod spending;
mod subscription;
mod tools;
mod topup;
mod user;
mod voice;
mod voucher;
mod wallet;
mod webhook;
mod whatsapp;

pub(crate) use incoming::incoming_messages;

use crate::operation::OperationFamily;
use crate::states::EventSchema;

/// Every family, in the order they are shown.
pub(crate) fn all() -> Vec<OperationFamily> {
    let mut all = vec![
        airtime::family(),
        cabletv::family(),
        electricity::family(),
        internet::family(),
        sms::family(),
        whatsapp::family(),
        rcs::family(),
        voice::family(),
        ivr::family(),
        messaging_library::flows(),
        messaging_library::templates(),
        incoming::family(),
        bulk_messages::family(),
        bank::family(),
        bulk::family(),
        payroll::family(),
        mobile_money::family(),
        card::family(),
        international::family(),
        wallet::family(),
        user::family(),
        voucher::family(),
        group::family(),
        geolocation::family(),
        hlr::family(),
        paid_lookup::family(),
        tools::family(),
        account::family(),
        access::family(),
        spending::family(),
        topup::family(),
        collection::family(),
        checkout::family(),
        invoice::family(),
        booking::family(),
        refund::family(),
        subscription::family(),
        reporting::family(),
        operations::family(),
        security::family(),
        webhook::family(),
        process::family(),
    ];
    let after = all.iter().position(|family| family.stem == "internet");
    let place = after.map_or(all.len(), |index| index.saturating_add(1));
    all.splice(place..place, bill::families());
    all
}

/// The events of the transactions of every family, in the same order.
pub(crate) fn events() -> impl Iterator<Item = EventSchema> {
    let products = [
        airtime::event(),
        cabletv::event(),
        electricity::event(),
        internet::event(),
        sms::event(),
        whatsapp::event(),
        rcs::event(),
        voice::event(),
        ivr::event(),
        bank::event(),
        mobile_money::event(),
        card::event(),
        international::event(),
        wallet::event(),
        user::event(),
        hlr::event(),
        paid_lookup::event(),
        geolocation::event(),
    ];
    products.into_iter().chain(bill::events())
}
