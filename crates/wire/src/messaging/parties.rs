//! Who sends a message to whom, read and shown. It must not know any numbering plan or sender.

use crate::attribute::{PHONE, SENDER};
use crate::format::available;
use crate::reader::{FieldReader, InvalidField};
use crate::tree::Object;
use domain::country::CountryCode;
use domain::messaging::{AskedParties, MessageParties};
use domain::phone::{NumberStatus, PhoneNumber};
use domain::sms::SenderSerial;

/// Reads the parties; `status` is called with the number where it and its country could be read.
pub(crate) fn parse(
    reader: &mut FieldReader<'_>,
    status: impl FnOnce(&PhoneNumber, CountryCode) -> NumberStatus,
) -> Result<AskedParties, InvalidField> {
    let country = reader.country();
    let number = reader.phone();
    let network = reader.network_of(&PHONE, (&number, country), status);
    let sender = reader.required(&SENDER, SenderSerial::parse);
    Ok(AskedParties {
        country: country?,
        number: number?,
        network,
        sender: sender?,
    })
}

/// The parties as an answer shows them.
pub(crate) fn view(parties: &MessageParties) -> Object {
    Object::new()
        .with("number", parties.number.digits())
        .with("network", available(&parties.network))
        .with("sender", parties.sender_name.as_str())
}
