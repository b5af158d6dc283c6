//! `POST /messaging/template`: a text with places for personal fields, as `POST /messaging/bulk`
//! takes it.

use crate::attribute::{CONTENT, TEMPLATE_NAME};
use crate::attributes::Attributes;
use crate::reader::{FieldReader, Handling};
use crate::tree::{Node, Object};
use crate::violations::Violations;
use domain::messaging_library::{LibraryContent, LibraryName};
use domain::sms::MessageTemplate;

/// No message could be made of it, whatever its fields are.
const TOO_LONG: &str = "must have 1,530 characters at most beside its places";

/// Reads a template and its name.
pub fn parse(
    attributes: &Attributes,
    handling: Handling,
) -> Result<(LibraryName, LibraryContent), Violations> {
    let mut reader = FieldReader::new(attributes, handling);
    let name = reader.required(&TEMPLATE_NAME, LibraryName::parse);
    let text = reader.required(&CONTENT, |text| {
        let template = MessageTemplate::parse(text).map_err(|error| error.to_string())?;
        if template.fixed().chars().count() > MessageTemplate::FILLED_MAX {
            return Err(TOO_LONG.to_owned());
        }
        Ok(template)
    });
    reader.finish(|| Ok((name?, LibraryContent::Template(text?))))
}

/// The text, and the fields that it needs.
pub(super) fn view(text: &MessageTemplate) -> Object {
    let fields = text.names().map(|name| name.as_str().to_owned());
    Object::new()
        .with("content", text.to_string())
        .with("tplFields", Node::texts("tplField", fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{body, faults, lagos, pretty};
    use testkit::builders::kept_template;

    #[test]
    fn a_template_shows_its_text_and_the_fields_it_needs() {
        let shown = super::super::view(&kept_template("shop", 7), &lagos());
        insta::assert_snapshot!(pretty(&shown.into()), @r#"
        {
          tplIdentifier: 7
          tplName: "Opening hours"
          tplCreated: "15-01-2026 10:00:00"
          content: "Dear {first}, we open at 9 {{sharp}}."
          tplFields: [
            tplField "first"
          ]
        }
        "#);
    }

    #[test]
    fn a_text_that_is_no_template_is_refused() {
        let read = |name, content| {
            parse(
                &body(&[("tplName", name), ("content", content)]),
                Handling::Strict,
            )
        };
        assert!(read("\" Hours \"", "\"Dear {first}\"").is_ok());
        insta::assert_snapshot!(faults(read("\"\"", "\"Dear {first\"")), @r"
        400 -
        tplName: must not be empty
        content: has a brace that is not around a field, such as {first}; write {{ or }} for a brace
        ");
    }
}
