//! Tools for developers.

pub mod countries;
pub mod currencies;
pub mod fees;
pub mod number;
pub mod sandbox;
pub mod segments;
pub mod signature;
pub mod simulate;
pub mod timezones;

/// The reading and the answer of a list without filters.
macro_rules! listed {
    ($Entry:ty) => {
        /// Reads which page of the list is requested.
        pub fn parse(
            attributes: &crate::attributes::Attributes,
            handling: crate::reader::Handling,
        ) -> Result<crate::page::Paging<OrderWord>, crate::violations::Violations> {
            let mut reader = crate::reader::FieldReader::new(attributes, handling);
            let paging = LAYOUT.read(&mut reader);
            reader.finish(|| paging)
        }

        /// A page of the list.
        pub fn view(
            listing: &Listing<$Entry>,
            paging: &crate::page::Paging<OrderWord>,
        ) -> crate::tree::Object {
            LAYOUT.view(listing, paging)
        }

        /// The `Link` header of the answer.
        pub fn link_header(
            listing: &Listing<$Entry>,
            paging: &crate::page::Paging<OrderWord>,
        ) -> String {
            LAYOUT.link_header((listing, paging), &[])
        }
    };
}

use listed;
