//! What operators sign for. The word of an act in records must never change.

/// What operators do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// An operator is added: `reference` is the name, `detail` the public key.
    OperatorAdd,
    /// An operator is revoked: `reference` is the name.
    OperatorRevoke,
    /// An account is opened: `detail` is the hint of its first key, `reference` and `amount` are
    /// those of the opening balance.
    AccountOpen,
    /// Money is paid in.
    AccountCredit,
    /// The messages of an account are charged to another wallet, in `detail`.
    AccountBilling,
    /// The e-mail address and the phone number of an account are set, both in `detail`: money sent
    /// to one of them is the account's.
    AccountContact,
    /// An account is suspended.
    AccountSuspend,
    /// A suspended account is resumed.
    AccountResume,
    /// A key is made: `reference` is its hint.
    KeyRotate,
    /// Keys are revoked: `reference` is the hint of the one, or every key.
    KeyRevoke,
    /// A sender is registered: `reference` is its name, `detail` its status.
    SenderAdd,
    /// A sender is approved: `reference` is its serial number.
    SenderApprove,
    /// A sender is rejected: `reference` is its serial number.
    SenderReject,
    /// Suspended payments are resumed: `reference` is the provider that was compared.
    PaymentsResume,
    /// A reference that only a provider knew is settled, as `detail` says.
    ReferenceSettle,
    /// A payment under review is decided: `detail` is the verdict with its evidence.
    ReviewResolve,
    /// Changes that wait as dead letters are tried again.
    DeadLetterRetry,
    /// An account at a provider is paused: `reference` is its name, `detail` the reason.
    ProviderPause,
    /// A pause of an account at a provider ends: `reference` is its name.
    ProviderResume,
    /// A version of the catalogue is published: `reference` is its number, `detail` its digest,
    /// when it begins, why, and what changes.
    CataloguePublish,
    /// Money paid to a provider is entered, or paid back by it: `account` is the provider, `detail`
    /// the reason.
    ProviderFund,
    /// A difference in a provider's settlement file becomes a case: `account` is the provider,
    /// `reference` the case, `amount` the money in question, `detail` what differs and in which
    /// file.
    CaseOpen,
    /// A case is closed that no other act decides: `reference` is the case, `detail` the reason.
    CaseResolve,
    /// A refund is approved: `reference` is the merchant's, `detail` the payment.
    RefundApprove,
    /// A refund is refused: `reference` is the merchant's, `detail` the payment and why.
    RefundRefuse,
    /// A payment to a collection arrived at the bank.
    CollectionRecord,
    /// An operator makes a key for requests over HTTP, in place of the one before: `reference` is
    /// the operator's own name, `detail` the public key that follows from it.
    OperatorHttpKey,
    /// The key of an operator for requests over HTTP opens nothing any more: `reference` is the
    /// name.
    OperatorHttpKeyRevoke,
    /// Maintenance is announced: `reference` says of what and when, `detail` why.
    MaintenanceAnnounce,
    /// Announced maintenance ends before its time: `reference` is that of the announcement.
    MaintenanceEnd,
    /// A change that another operator asked for over HTTP is granted: `reference` is its number,
    /// `detail` its digest.
    RequestGrant,
    /// A change that another operator asked for over HTTP is refused: `reference` is its number,
    /// `detail` its digest.
    RequestRefuse,
    /// Secrets are accepted in place of those the store was used with: `detail` is the reason.
    SecretsAccept,
    /// Rows whose authentication codes do not fit are given others: `detail` is the reason.
    RowsAuthenticate,
    /// A balance is corrected, by an amount that may be below zero: `detail` is the reason.
    AccountAdjust,
    /// The same above the amount that needs two operators: the entry that approves another is what
    /// it is done by.
    AccountAdjustJointly,
    /// The events of a payment are delivered again: `reference` is that of the payment, `detail`
    /// the reason.
    TransactionResend,
    /// An account, one of its keys or services is frozen: `reference` is what, `detail` the reason.
    AccountFreeze,
    /// It goes on: `reference` is what, `detail` the reason.
    AccountUnfreeze,
    /// The payments of every account are frozen: `detail` is the reason.
    PaymentsFreeze,
    /// The payments of every account go on: `detail` is the reason.
    PaymentsUnfreeze,
}

impl Act {
    /// Every act.
    pub const ALL: [Self; 41] = [
        Self::OperatorAdd,
        Self::OperatorRevoke,
        Self::AccountOpen,
        Self::AccountCredit,
        Self::AccountBilling,
        Self::AccountContact,
        Self::AccountSuspend,
        Self::AccountResume,
        Self::KeyRotate,
        Self::KeyRevoke,
        Self::SenderAdd,
        Self::SenderApprove,
        Self::SenderReject,
        Self::PaymentsResume,
        Self::ReferenceSettle,
        Self::ReviewResolve,
        Self::DeadLetterRetry,
        Self::ProviderPause,
        Self::ProviderResume,
        Self::CataloguePublish,
        Self::ProviderFund,
        Self::CaseOpen,
        Self::CaseResolve,
        Self::RefundApprove,
        Self::RefundRefuse,
        Self::CollectionRecord,
        Self::OperatorHttpKey,
        Self::OperatorHttpKeyRevoke,
        Self::MaintenanceAnnounce,
        Self::MaintenanceEnd,
        Self::RequestGrant,
        Self::RequestRefuse,
        Self::SecretsAccept,
        Self::RowsAuthenticate,
        Self::AccountAdjust,
        Self::AccountAdjustJointly,
        Self::TransactionResend,
        Self::AccountFreeze,
        Self::AccountUnfreeze,
        Self::PaymentsFreeze,
        Self::PaymentsUnfreeze,
    ];

    /// The word of records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OperatorAdd => "operator-add",
            Self::OperatorRevoke => "operator-revoke",
            Self::AccountOpen => "account-open",
            Self::AccountCredit => "account-credit",
            Self::AccountBilling => "account-billing",
            Self::AccountContact => "account-contact",
            Self::AccountSuspend => "account-suspend",
            Self::AccountResume => "account-resume",
            Self::KeyRotate => "key-rotate",
            Self::KeyRevoke => "key-revoke",
            Self::SenderAdd => "sender-add",
            Self::SenderApprove => "sender-approve",
            Self::SenderReject => "sender-reject",
            Self::PaymentsResume => "payments-resume",
            Self::ReferenceSettle => "reference-settle",
            Self::ReviewResolve => "review-resolve",
            Self::DeadLetterRetry => "dead-letter-retry",
            Self::ProviderPause => "provider-pause",
            Self::ProviderResume => "provider-resume",
            Self::CataloguePublish => "catalogue-publish",
            Self::ProviderFund => "provider-fund",
            Self::CaseOpen => "case-open",
            Self::CaseResolve => "case-resolve",
            Self::RefundApprove => "refund-approve",
            Self::RefundRefuse => "refund-refuse",
            Self::CollectionRecord => "collection-record",
            Self::OperatorHttpKey => "operator-http-key",
            Self::OperatorHttpKeyRevoke => "operator-http-key-revoke",
            Self::MaintenanceAnnounce => "maintenance-announce",
            Self::MaintenanceEnd => "maintenance-end",
            Self::RequestGrant => "request-grant",
            Self::RequestRefuse => "request-refuse",
            Self::SecretsAccept => "secrets-accept",
            Self::RowsAuthenticate => "rows-authenticate",
            Self::AccountAdjust => "account-adjust",
            Self::AccountAdjustJointly => "account-adjust-jointly",
            Self::TransactionResend => "transaction-resend",
            Self::AccountFreeze => "account-freeze",
            Self::AccountUnfreeze => "account-unfreeze",
            Self::PaymentsFreeze => "payments-freeze",
            Self::PaymentsUnfreeze => "payments-unfreeze",
        }
    }

    /// Reads the word of a record.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.code() == code)
    }

    /// Whether the program does it too, for the account that it opens to try things with.
    pub const fn is_also_of_the_program(self) -> bool {
        matches!(self, Self::AccountOpen | Self::SenderAdd)
    }
}
