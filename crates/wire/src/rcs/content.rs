//! What an RCS message says, with everything in it. What belongs to another type must be refused:
//! which of the two was meant would be a guess.

use crate::attribute::{
    Attribute, CARD, CARD_DESCRIPTION, CARD_TITLE, CARDS, CONTENT, FALLBACK_AFTER, MEDIA_URL,
    MESSAGE_TYPE, SMS_FALLBACK, SUGGESTION_DIAL, SUGGESTION_REPLY, SUGGESTION_TEXT, SUGGESTION_URL,
    SUGGESTIONS,
};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling, InvalidField};
use crate::sms::send::too_long;
use crate::violations::Violations;
use domain::messaging::{MessageLine, MessageText, MessageUrl};
use domain::phone::PhoneNumber;
use domain::rcs::{
    FallbackDelay, RcsBody, RcsCard, RcsContent, SmsFallback, Suggestion, SuggestionAction,
};
use domain::sms::{Content, MessageKind};
use std::convert::Infallible;

/// What `type` can be.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Card,
    Carousel,
    File,
}

const KINDS: [(&str, Kind); 4] = [
    (RcsBody::KINDS[0], Kind::Text),
    (RcsBody::KINDS[1], Kind::Card),
    (RcsBody::KINDS[2], Kind::Carousel),
    (RcsBody::KINDS[3], Kind::File),
];

impl Kind {
    /// How an error names it.
    const fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Card => "a card",
            Self::Carousel => "a carousel",
            Self::File => "a file",
        }
    }

    /// The attribute that holds what the person sees.
    const fn attribute(self) -> &'static Attribute {
        match self {
            Self::Text => &CONTENT,
            Self::Card => &CARD,
            Self::Carousel => &CARDS,
            Self::File => &MEDIA_URL,
        }
    }
}

/// Reads everything that is sent.
pub(super) fn parse(
    reader: &mut FieldReader<'_>,
    handling: Handling,
) -> Result<RcsContent, InvalidField> {
    let kind = reader.word(&MESSAGE_TYPE, &KINDS);
    let body = match kind {
        Ok(kind) => body(reader, kind, handling),
        Err(unread) => Err(unread_body(reader, unread, handling)),
    };
    let suggestions = suggestions(reader, RcsContent::SUGGESTIONS_MAX, handling);
    let fallback = reader.optional_part(&SMS_FALLBACK, |object| fallback(object, handling));
    let (body, suggestions, fallback) = (body?, suggestions?, fallback?);
    let attribute = kind?.attribute();
    RcsContent::of(body, suggestions, fallback)
        .map_err(|error| reader.fault(attribute, &error.to_string()))
}

/// What the person sees.
fn body(
    reader: &mut FieldReader<'_>,
    kind: Kind,
    handling: Handling,
) -> Result<RcsBody, InvalidField> {
    let read = match kind {
        Kind::Text => {
            let text = |text: &str| MessageText::parse(text, RcsContent::TEXT_MAX);
            reader.required(&CONTENT, text).map(RcsBody::Text)
        }
        Kind::Card => {
            let card = reader.part(&CARD, |object| card(object, handling));
            card.map(RcsBody::Card)
        }
        Kind::Carousel => {
            let read = |object: &Attributes| card(object, handling);
            let cards = reader.objects_within(&CARDS, &RcsContent::CARDS, read);
            cards.map(RcsBody::Carousel)
        }
        Kind::File => {
            let url = reader.required(&MEDIA_URL, MessageUrl::parse);
            url.map(RcsBody::File)
        }
    };
    let own = kind.attribute().name;
    let others = [&CONTENT, &CARD, &CARDS, &MEDIA_URL].into_iter();
    let others = others.filter(|attribute| attribute.name != own);
    let others: Vec<_> = others
        .map(|attribute| reader.excluded(attribute, kind.name()))
        .collect();
    others.into_iter().collect::<Result<(), _>>().and(read)
}

/// What is wrong whatever the type is.
fn unread_body(
    reader: &mut FieldReader<'_>,
    unread: InvalidField,
    handling: Handling,
) -> InvalidField {
    let any = |_: &str| Ok::<(), Infallible>(());
    let text = reader.optional(&CONTENT, any).err();
    let url = reader.optional(&MEDIA_URL, any).err();
    let read = |object: &Attributes| card(object, handling);
    let one = reader.optional_part(&CARD, read).err();
    let most = *RcsContent::CARDS.end();
    let many = reader.optional_objects(&CARDS, most, read).err();
    let faults = [text, url, one, many].into_iter();
    faults.flatten().next().unwrap_or(unread)
}

fn card(object: &Attributes, handling: Handling) -> Result<RcsCard, Violations> {
    let mut reader = FieldReader::new(object, handling);
    let title = |text: &str| MessageLine::parse(text, RcsCard::TITLE_MAX);
    let title = reader.optional(&CARD_TITLE, title);
    let text = |text: &str| MessageText::parse(text, RcsCard::DESCRIPTION_MAX);
    let description = reader.optional(&CARD_DESCRIPTION, text);
    let media = reader.optional(&MEDIA_URL, MessageUrl::parse);
    let suggestions = suggestions(&mut reader, RcsCard::SUGGESTIONS_MAX, handling);
    reader.try_finish(|reader| {
        let card = RcsCard::showing(title?, description?, media?);
        let card = card.map_err(|error| reader.fault(&CARD_TITLE, &error.to_string()));
        Ok(card?.suggesting(suggestions?))
    })
}

fn suggestions(
    reader: &mut FieldReader<'_>,
    most: usize,
    handling: Handling,
) -> Result<Vec<Suggestion>, InvalidField> {
    reader.optional_objects(&SUGGESTIONS, most, |object| suggestion(object, handling))
}

fn suggestion(object: &Attributes, handling: Handling) -> Result<Suggestion, Violations> {
    let mut reader = FieldReader::new(object, handling);
    let text = |text: &str| MessageLine::parse(text, Suggestion::TEXT_MAX);
    let text = reader.required(&SUGGESTION_TEXT, text);
    let url = reader.optional(&SUGGESTION_URL, MessageUrl::parse);
    let dial = reader.optional(&SUGGESTION_DIAL, PhoneNumber::parse);
    let data = |text: &str| MessageText::parse(text, Suggestion::REPLY_MAX);
    let reply = reader.optional(&SUGGESTION_REPLY, data);
    reader.try_finish(|reader| {
        let action = match (url?, dial?, reply?) {
            (Some(url), None, None) => SuggestionAction::Open(url),
            (None, Some(number), None) => SuggestionAction::Dial(number),
            (None, None, Some(data)) => SuggestionAction::Reply(data),
            (None, None, None) => {
                let message = "is required where there is no dial and no reply; send one of them";
                return Err(reader.fault(&SUGGESTION_URL, message));
            }
            (Some(_), _, _) => return Err(reader.fault(&SUGGESTION_URL, SEVERAL)),
            (None, Some(_), Some(_)) => return Err(reader.fault(&SUGGESTION_DIAL, SEVERAL)),
        };
        Ok(Suggestion {
            text: text?,
            action,
        })
    })
}

/// A suggestion does one thing.
const SEVERAL: &str = "must stand alone: send one of url, dial and reply";

fn fallback(object: &Attributes, handling: Handling) -> Result<SmsFallback, Violations> {
    let mut reader = FieldReader::new(object, handling);
    let content = reader.required(&CONTENT, |text| {
        let content = Content::parse(text).map_err(|error| error.to_string())?;
        match too_long(MessageKind::Text, &content) {
            Some(message) => Err(message),
            None => Ok(content),
        }
    });
    let range = FallbackDelay::SECONDS_MIN.into()..=FallbackDelay::SECONDS_MAX.into();
    let after = reader.integer(&FALLBACK_AFTER, range);
    reader.finish(|| {
        let after = after?.and_then(|seconds| u32::try_from(seconds).ok());
        let after = after.and_then(|seconds| FallbackDelay::from_seconds(seconds).ok());
        Ok(SmsFallback {
            content: content?,
            after: after.unwrap_or(FallbackDelay::DEFAULT),
        })
    })
}
