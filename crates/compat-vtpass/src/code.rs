//! VTpass's codes for what became of a request. It must never call an outcome failed that is not
//! known.

use domain::transaction::Status;

/// A code of VTpass's that is answered here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseCode {
    /// 000: delivered, or looked up.
    Processed,
    /// 010: the service has no such plan.
    NoSuchVariation,
    /// 011: something that was sent is wrong.
    InvalidArguments,
    /// 012: no such service is sold.
    NoSuchProduct,
    /// 013: below the smallest amount.
    BelowMinimum,
    /// 014: the request id was used before; a requery says what became of it.
    RequestIdExists,
    /// 015: the request id was never used.
    InvalidRequestId,
    /// 016: refused, and not charged.
    Failed,
    /// 017: above the largest amount.
    AboveMaximum,
    /// 018: the wallet does not hold enough.
    LowBalance,
    /// 019: looks like an order of a moment ago.
    LikelyDuplicate,
    /// 022: the account is suspended.
    AccountSuspended,
    /// 028: the account has no price for the product.
    ProductNotAllowed,
    /// 030: the biller cannot be reached.
    BillerUnreachable,
    /// 032: more than one period.
    AboveMaximumQuantity,
    /// 034: the service cannot be bought at the moment.
    ServiceSuspended,
    /// 040: delivered, taken back, and the charge returned.
    Reversed,
    /// 044: delivered, as a person has found out.
    Resolved,
    /// 083: what became of the request is not known, or not said here; a requery says.
    SystemError,
    /// 085: the request id has characters that no reference has.
    ImproperRequestId,
    /// 087: the credentials open no account.
    InvalidCredentials,
    /// 091: not processed, and not charged.
    NotProcessed,
    /// 099: not known yet; a requery says.
    Processing,
}

impl ResponseCode {
    /// Its three digits, and VTpass's words for it.
    const fn listed(self) -> (&'static str, &'static str) {
        match self {
            Self::Processed => ("000", "TRANSACTION SUCCESSFUL"),
            Self::NoSuchVariation => ("010", "VARIATION CODE DOES NOT EXIST"),
            Self::InvalidArguments => ("011", "INVALID ARGUMENTS"),
            Self::NoSuchProduct => ("012", "PRODUCT DOES NOT EXIST"),
            Self::BelowMinimum => ("013", "BELOW MINIMUM AMOUNT ALLOWED"),
            Self::RequestIdExists => ("014", "REQUEST ID ALREADY EXIST"),
            Self::InvalidRequestId => ("015", "INVALID REQUEST ID"),
            Self::Failed => ("016", "TRANSACTION FAILED"),
            Self::AboveMaximum => ("017", "ABOVE MAXIMUM AMOUNT ALLOWED"),
            Self::LowBalance => ("018", "LOW WALLET BALANCE"),
            Self::LikelyDuplicate => ("019", "LIKELY DUPLICATE TRANSACTION"),
            Self::AccountSuspended => ("022", "ACCOUNT SUSPENDED"),
            Self::ProductNotAllowed => ("028", "PRODUCT IS NOT WHITELISTED ON YOUR ACCOUNT"),
            Self::BillerUnreachable => ("030", "BILLER NOT REACHABLE AT THIS POINT"),
            Self::AboveMaximumQuantity => ("032", "ABOVE MAXIMUM QUANTITY ALLOWED"),
            Self::ServiceSuspended => ("034", "SERVICE SUSPENDED"),
            Self::Reversed => ("040", "TRANSACTION REVERSAL"),
            Self::Resolved => ("044", "TRANSACTION RESOLVED"),
            Self::SystemError => ("083", "SYSTEM ERROR"),
            Self::ImproperRequestId => ("085", "IMPROPER REQUEST ID"),
            Self::InvalidCredentials => ("087", "INVALID CREDENTIALS"),
            Self::NotProcessed => ("091", "TRANSACTION NOT PROCESSED"),
            Self::Processing => ("099", "TRANSACTION IS PROCESSING"),
        }
    }

    /// Its three digits.
    pub const fn digits(self) -> &'static str {
        self.listed().0
    }

    /// VTpass's words for it.
    pub const fn words(self) -> &'static str {
        self.listed().1
    }

    /// Whether the same request could be accepted a moment later or by another instance: the
    /// refusal says nothing about another request with the same id.
    pub const fn is_of_the_moment(self) -> bool {
        matches!(
            self,
            Self::LikelyDuplicate
                | Self::BillerUnreachable
                | Self::ServiceSuspended
                | Self::NotProcessed
        )
    }

    /// Whether clients of VTpass wait and query after it, instead of taking the purchase for
    /// failed.
    pub const fn is_open(self) -> bool {
        matches!(
            self,
            Self::RequestIdExists | Self::SystemError | Self::Processing
        )
    }
}

/// The code of a transaction's status, for a purchase as for a requery.
pub const fn outcome(status: Status) -> ResponseCode {
    match status {
        Status::Successful => ResponseCode::Processed,
        Status::Failed => ResponseCode::Failed,
        Status::Reversed => ResponseCode::Reversed,
        Status::Pending => ResponseCode::Processing,
    }
}

/// `content.transactions.status` beside it.
pub(crate) const fn transaction_word(status: Status) -> &'static str {
    match status {
        Status::Successful => "delivered",
        Status::Failed => "failed",
        Status::Reversed => "reversed",
        Status::Pending => "pending",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failed_transaction_has_a_code_that_says_so() {
        for (status, digits, word) in [
            (Status::Successful, "000", "delivered"),
            (Status::Failed, "016", "failed"),
            (Status::Reversed, "040", "reversed"),
            (Status::Pending, "099", "pending"),
        ] {
            assert_eq!(outcome(status).digits(), digits);
            assert_eq!(transaction_word(status), word);
        }
        assert!(outcome(Status::Pending).is_open());
        assert!(!outcome(Status::Failed).is_open());
    }
}
