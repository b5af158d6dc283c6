//! Published versions of the catalogue: a document of an operator's is read, laid over what is part
//! of the program, compared with another, and sold by from its moment on. It must never change a
//! snapshot that a request holds.

mod diff;
mod document;
mod listed;
mod live;
mod merge;
mod product;
mod snapshot;

pub use diff::{CatalogueChange, compare};
pub use document::{DOCUMENT_BYTES_MAX, DocumentProblem, ENTRIES_MAX};
pub use listed::listed_otherwise;
pub use live::{LiveCatalogue, POLL_EVERY, STALE_AFTER, digest_of};
pub use snapshot::{CatalogueSnapshot, SoldPlan};
