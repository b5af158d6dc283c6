//! English. It must hold every text in full sentences that a customer understands without knowing
//! what a payment gateway is.

use super::Texts;

/// The texts in English.
pub const EN: Texts = Texts {
    language: "en",
    direction: "ltr",
    title: "{state} – {merchant}",
    test_banner: "Test mode",
    test_banner_note: "No money moves on this page.",
    order_reference: "Order {reference}",
    customer: "For {customer}",
    money: "{currency}\u{a0}{amount}",

    open: "Waiting for your transfer",
    part: "Part of the amount has arrived",
    paid: "Payment received",
    overpaid: "More than the amount has arrived",
    expired: "The time to pay has passed",
    cancelled: "This order was cancelled",

    amount_to_pay: "Amount to pay",
    amount_missing: "Still to pay",
    amount_paid: "Amount paid",
    amount_of_order: "Order total",
    order_total: "Order total",
    arrived: "Arrived",
    excess: "Difference",
    expires: "Pay before {time}.",

    open_note: "No transfer has arrived yet.",
    part_note: "Transfer the rest in the same way to complete the payment.",
    paid_note: "The whole amount has arrived. There is nothing left to do.",
    overpaid_note: "The order is paid. Ask {merchant} to return the difference.",
    expired_note: "Do not transfer money for this order any more. Ask {merchant} for a new one.",
    expired_part_note: "Do not transfer more for this order. Ask {merchant} about the money that \
        has arrived.",
    cancelled_note: "Do not transfer money for it. Ask {merchant} if you still want to buy.",
    cancelled_part_note: "Do not transfer more for it. Ask {merchant} about the money that has \
        arrived.",

    transfer: "Transfer to this account",
    bank: "Bank",
    account_number: "Account number",
    account_name: "Account name",
    payment_reference: "Payment reference",
    payment_reference_note: "This must be in the narration of your transfer.",
    transfer_not_ready: "This order cannot be paid here now. Ask {merchant} what to do.",
    load_again: "Load this page again",

    steps: "How to pay",
    step_open: "Open your bank’s app.",
    step_transfer: "Transfer exactly {amount} to account {account_number}.",
    step_narration: "Put the payment reference {payment_reference} in the narration. Some banks \
        call it remark or description.",
    step_return: "Come back to this page and check that the transfer has arrived.",
    check: "Check whether the transfer arrived",
    check_note: "Most transfers arrive within minutes. This page does not update by itself.",

    other_amount: "If you transfer another amount",
    other_amount_less: "Less: the order stays unpaid, and this page shows how much is missing.",
    other_amount_more: "More: the order is paid, and you have to ask {merchant} to return the \
        difference.",

    items: "Your order",
    item: "Item",
    quantity: "Quantity",
    item_amount: "Amount in {currency}",

    return_link: "Return to {merchant}",

    test_panel: "Test transfers",
    test_panel_note: "Each button simulates one transfer to this order, in every state: also late, \
        or a second time.",
    pay_exact: "Pay in full",
    pay_less: "Pay too little",
    pay_more: "Pay too much",

    safety: "This page never asks for a card number, a PIN or a password.",

    not_found: "This payment page does not exist",
    not_found_note: "Check that the address is complete, or ask the merchant for a new link.",
    unavailable: "This page cannot be shown right now",
    unavailable_note: "Try again in a few minutes. Nothing is lost: a transfer that you have made \
        is recorded when it arrives.",
    too_many_requests: "Too many requests",
    too_many_requests_note: "Wait a minute, then load this page again. Nothing is lost: a transfer \
        that you have made is recorded when it arrives.",
};
