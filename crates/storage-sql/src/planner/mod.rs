//! Judging a batch of change sets in memory: what a store must read for it, what becomes of each,
//! and what must be written for all together. It is pure: it must never ask a store for more.

mod judge;
mod needs;
mod plan;
mod purse;
mod telling;

pub use judge::plan;
pub use needs::{Flow, Needs, WorkingSet};
pub use plan::{Announced, BatchPlan, Entry, Line, LineNews, Movement, News, Told};
pub use purse::Purse;
