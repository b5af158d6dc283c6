//! The cases of every operation, one file per family.

mod access;
mod account;
mod airtime;
mod appointment;
mod bank;
mod batches;
mod bill;
mod booking;
mod bulk;
mod bulk_messages;
mod cabletv;
mod card;
mod change_request;
mod checkout;
mod collection;
mod electricity;
pub(crate) mod geolocation;
mod group;
mod health;
mod hlr;
mod incoming;
mod international;
mod internet;
mod invoice;
mod ivr;
mod messaging_library;
mod meters;
mod mobile_money;
mod operations;
mod paid_lookup;
mod payroll;
mod rcs;
mod refund;
mod reporting;
mod security;
mod shared;
mod sms;
mod spending;
mod subscription;
mod tools;
mod topup;
mod transactions;
mod user;
mod voice;
mod voucher;
mod wallet;
mod webhook;
mod whatsapp;

use crate::case::Case;

/// Every case, purchases before their reports.
pub(crate) fn all() -> Vec<Case> {
    let families = [
        airtime::cases(),
        meters::cases(),
        electricity::cases(),
        cabletv::cases(),
        internet::cases(),
        bill::cases(),
        bank::cases(),
        bulk::cases(),
        bulk_messages::cases(),
        payroll::cases(),
        mobile_money::cases(),
        card::cases(),
        international::cases(),
        tools::cases(),
        wallet::cases(),
        user::cases(),
        voucher::cases(),
        group::cases(),
        security::cases(),
        spending::cases(),
        sms::cases(),
        whatsapp::cases(),
        incoming::cases(),
        voice::cases(),
        ivr::cases(),
        messaging_library::cases(),
        rcs::cases(),
        hlr::cases(),
        paid_lookup::cases(),
        geolocation::cases(),
        account::cases(),
        access::cases(),
        topup::cases(),
        checkout::cases(),
        collection::cases(),
        invoice::cases(),
        appointment::cases(),
        booking::cases(),
        refund::cases(),
        subscription::cases(),
        reporting::cases(),
        change_request::cases(),
        operations::cases(),
        transactions::cases(),
        webhook::cases(),
        health::cases(),
    ];
    families.into_iter().flatten().collect()
}
