//! Banks, accounts and payouts. It must never decide whether an account exists: only its bank can.

mod account;
mod bulk;
pub mod charges;
mod group;
mod institution;
mod narration;
mod order;
mod payroll;
mod salary;

pub use account::{AccountKind, AccountNumber, BankAccount, InvalidAccountNumber};
pub use bulk::{BulkPayees, BulkPayout, GroupPayout};
pub use group::{
    GROUPS_MAX, Group, GroupContent, GroupId, GroupLabel, GroupMember, GroupSummary, GroupVersion,
    MEMBERS_MAX,
};
pub use institution::{
    Bank, BankCode, BankIdentifier, BankKind, InvalidBankCode, InvalidBankIdentifier,
    InvalidTransferCode, TransferCode,
};
pub use narration::{InvalidNarration, Narration};
pub use order::{Payout, PayoutOrder};
pub use payroll::{InvalidPayDay, PayDay, Payroll};
pub use salary::{
    DEDUCTIONS_MAX, Deduction, DeductionKind, InvalidPayPeriod, InvalidStaffIdentifier, PayPeriod,
    Salary, StaffIdentifier,
};
