//! VTpass's codes for what became of a transaction. It must never call an outcome failed that is
//! not known.

use domain::transaction::Status;

/// A code of VTpass's that an outcome has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseCode {
    /// 000: delivered.
    Processed,
    /// 016: refused, and not charged.
    Failed,
    /// 040: delivered, taken back, and the charge returned.
    Reversed,
    /// 099: not known yet; a requery says.
    Processing,
}

impl ResponseCode {
    /// Its three digits.
    pub const fn digits(self) -> &'static str {
        match self {
            Self::Processed => "000",
            Self::Failed => "016",
            Self::Reversed => "040",
            Self::Processing => "099",
        }
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
pub const fn transaction_word(status: Status) -> &'static str {
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
    }
}
