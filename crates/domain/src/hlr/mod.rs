//! Looking a mobile number up in its home network's register: whether it is live, who serves it
//! now, whether it roams. It must never be paid for where no network has to be asked.

mod order;
mod report;

pub use order::{HlrOrder, HlrQuery};
pub use report::{HlrReport, HlrStatus};
