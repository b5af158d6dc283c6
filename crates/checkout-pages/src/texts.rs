//! Every text of the pages, in one struct, so that a translation is one more file beside `en`. It
//! must not hold a text in two places.

mod en;

pub use en::EN;

/// Defines the struct together with the list of its fields.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        /// The texts of one language. A name in braces is replaced by a value of the order.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Texts {
            $($(#[$doc])* pub $name: &'static str,)+
        }

        impl Texts {
            /// Every text with the name of its field.
            pub fn entries(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)+]
            }

            /// The same texts, each changed by a function of its name and itself.
            #[must_use]
            pub fn map(
                &self,
                change: impl Fn(&'static str, &'static str) -> &'static str,
            ) -> Self {
                Self { $($name: change(stringify!($name), self.$name),)+ }
            }
        }
    };
}

texts! {
    /// The language as a tag of BCP 47.
    language,
    /// Its direction: `ltr` or `rtl`.
    direction,
    /// The title of a page of an order: `{state}`, `{merchant}`.
    title,
    /// The banner of a test page.
    test_banner,
    /// What the banner says.
    test_banner_note,
    /// The reference of the order: `{reference}`.
    order_reference,
    /// Whom the order is for: `{customer}`.
    customer,
    /// An amount with its currency: `{currency}`, `{amount}`.
    money,

    /// The heading of each state.
    open,
    part,
    paid,
    overpaid,
    expired,
    cancelled,

    /// What the large amount is, by state.
    amount_to_pay,
    amount_missing,
    amount_paid,
    amount_of_order,
    /// Labels of the amounts below it.
    order_total,
    arrived,
    excess,
    /// Until when the order can be paid: `{time}`.
    expires,

    /// What the state means; `{merchant}`.
    open_note,
    part_note,
    paid_note,
    overpaid_note,
    expired_note,
    expired_part_note,
    cancelled_note,
    cancelled_part_note,

    /// The heading and labels of the account to pay to.
    transfer,
    bank,
    account_number,
    account_name,
    payment_reference,
    /// That the reference must be in the narration.
    payment_reference_note,
    /// In place of the account: `{merchant}`.
    transfer_not_ready,
    /// The link below it.
    load_again,

    /// The heading of the steps.
    steps,
    step_open,
    /// `{amount}`, `{account_number}`.
    step_transfer,
    /// `{payment_reference}`.
    step_narration,
    step_return,
    /// The link that loads the page again.
    check,
    check_note,

    /// What happens to another amount; `{merchant}`.
    other_amount,
    other_amount_less,
    other_amount_more,

    /// The heading and columns of what is bought; the last with `{currency}`.
    items,
    item,
    quantity,
    item_amount,

    /// The link to the merchant's own page: `{merchant}`.
    return_link,

    /// The panel of a test page.
    test_panel,
    test_panel_note,
    pay_exact,
    pay_less,
    pay_more,

    /// What no page asks for.
    safety,

    /// Pages in place of an order.
    not_found,
    not_found_note,
    unavailable,
    unavailable_note,
    too_many_requests,
    too_many_requests_note,
}
