//! `GET /messaging/senders`. It must list what it is given: the account of the senders is not
//! decided here.

use crate::attributes::Attributes;
use crate::listing::{Layout, Listing, ListingOrder, OrderWord, by_name};
use crate::page::Paging;
use crate::reader::{FieldReader, Handling};
use crate::tree::Object;
use crate::violations::Violations;
use crate::zone::Zone;
use domain::sms::{Sender, SenderStatus};

const LAYOUT: Layout<SenderDate> = Layout {
    path: "/messaging/senders",
    plural: "senders",
    singular: "sender",
    orders: &[
        ListingOrder {
            word: "sndName",
            compare: |one, other| by_name(one.sender.name.as_str(), other.sender.name.as_str()),
        },
        ListingOrder {
            word: "sndDate",
            compare: |one, other| {
                let key =
                    |dated: &SenderDate| (dated.sender.requested_at, dated.sender.serial.clone());
                key(one).cmp(&key(other))
            },
        },
    ],
    entry: view_one,
};

/// A sender with the time zone of its dates.
#[derive(Debug, Clone)]
pub struct SenderDate {
    sender: Sender,
    zone: Zone,
}

/// Reads which page of the list is requested.
pub fn parse(attributes: &Attributes, handling: Handling) -> Result<Paging<OrderWord>, Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let paging = LAYOUT.read(&mut reader);
    reader.finish(|| paging)
}

/// All senders of an account, for the list.
pub fn listing(senders: Vec<Sender>, zone: &Zone) -> Listing<SenderDate> {
    let dated = senders.into_iter().map(|sender| SenderDate {
        sender,
        zone: zone.clone(),
    });
    Listing::whole(dated.collect())
}

/// A page of the list.
pub fn view(senders: &Listing<SenderDate>, paging: &Paging<OrderWord>) -> Object {
    LAYOUT.view(senders, paging)
}

/// The `Link` header of the answer.
pub fn link_header(senders: &Listing<SenderDate>, paging: &Paging<OrderWord>) -> String {
    LAYOUT.link_header((senders, paging), &[])
}

/// The name of the sender in messages, and its approval status.
fn view_one(SenderDate { sender, zone }: &SenderDate) -> Object {
    Object::new()
        .with("sndIdentifier", sender.serial.as_str())
        .with("sndName", sender.name.as_str())
        .with("sndStatus", status(sender.status))
        .with("sndDate", zone.date_time(sender.requested_at))
        .with("sndDecided", sender.decided_at.map(|at| zone.date_time(at)))
}

const fn status(status: SenderStatus) -> &'static str {
    match status {
        SenderStatus::Pending => "Pending",
        SenderStatus::Approved => "Approved",
        SenderStatus::Rejected => "Rejected",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{faults, lagos, pretty, query};
    use testkit::builders::{START, sender};

    fn senders() -> Listing<SenderDate> {
        let asked = sender("shop", "100000000002", "MyShop");
        let approved = Sender {
            status: SenderStatus::Approved,
            decided_at: Some(START),
            ..sender("shop", "100000000001", "Courier")
        };
        listing(vec![asked, approved], &lagos())
    }

    #[test]
    fn senders_are_shown_by_name_with_what_was_decided() {
        let paging = parse(&query(""), Handling::Strict).unwrap();
        insta::assert_snapshot!(pretty(&view(&senders(), &paging).into()));
    }

    #[test]
    fn the_list_can_be_ordered_by_date() {
        let paging = parse(&query("orderby=sndDate&length=1"), Handling::Strict).unwrap();
        let header = link_header(&senders(), &paging);
        let next = "</messaging/senders?offset=1&length=1&orderby=sndDate&sort=asc>; rel=\"next\"";
        assert!(header.contains(next), "{header}");
        let refused = parse(&query("orderby=sender&x=1"), Handling::Strict);
        insta::assert_snapshot!(faults(refused), @r"
        400 -
        orderby: must be sndName or sndDate
        x: is not an attribute of this request; leave it out
        ");
    }
}
