//! XML schemas: one shared file, and one small file per operation, because every answer has the
//! same root and its content depends on the request. They must be XML Schema 1.0, which every
//! validator reads.

use crate::Document;
use crate::glossary::{Glossary, GlossaryPlace, Side};
use crate::interface::{Interface, Schema};
use crate::kind::{PATTERNS, ValueKind};
use crate::operation::Operation;
use crate::shape::{Field, Shape, ShapeValue};
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// The shared file of all schemas.
const SHARED: &str = "docs/xsd/manilla.xsd";

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The elements of every answer before its fields.
const ENVELOPE: &str = "      <xs:element name=\"code\" type=\"xs:integer\"/>
      <xs:element name=\"status\" type=\"Status\"/>
      <xs:element name=\"message\" type=\"xs:string\"/>
";

/// Errors (interface §7.3); invalid attributes are elements of their own names.
const FAILURE: &str = include_str!("failure.xsd.part");

/// How many names every success begins with: those of the envelope.
const ENVELOPE_LENGTH: usize = 3;

pub(crate) fn documents(interface: &Interface) -> Result<Vec<Document>> {
    let mut documents = vec![shared(interface)?];
    for (_, operation) in interface.operations() {
        documents.push(of_operation(operation));
    }
    Ok(documents)
}

fn shared(interface: &Interface) -> Result<Document> {
    let mut text = format!(
        "{HEAD}<!-- What answers in XML share. Beside it is one schema per operation, to validate \
         with. -->\n<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n"
    );
    for pattern in PATTERNS.iter().filter(|pattern| !pattern.is_sent()) {
        let (name, expression) = (pattern.type_name, pattern.expression);
        writeln!(
            text,
            "  <xs:simpleType name=\"{name}\"><xs:restriction base=\"xs:string\"><xs:pattern \
             value=\"{expression}\"/></xs:restriction></xs:simpleType>"
        )?;
    }
    text.push_str(FAILURE);
    let mut names: Vec<Vec<&str>> = Vec::new();
    for (_, operation) in interface.operations() {
        let here = answers(operation);
        if !names.contains(&here) {
            names.push(here);
        }
    }
    for here in names {
        let schemas = here.iter().map(|name| interface.schema(name));
        let schemas = schemas.collect::<Result<Vec<_>>>()?;
        group(&mut text, &schemas, &interface.glossary)?;
    }
    text.push_str("</xs:schema>\n");
    let path = SHARED.to_owned();
    Ok(Document { path, text })
}

fn of_operation(operation: &Operation) -> Document {
    let group = group_name(&answers(operation));
    let (verb, path) = (operation.verb.method(), operation.path);
    let text = format!(
        "{HEAD}<!-- Every answer of {verb} {path}. -->
<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">
  <xs:include schemaLocation=\"manilla.xsd\"/>
  <xs:element name=\"response\">
    <xs:complexType><xs:sequence>
{ENVELOPE}      <xs:choice><xs:group ref=\"{group}\"/><xs:group ref=\"Failure\"/></xs:choice>
    </xs:sequence></xs:complexType>
  </xs:element>
</xs:schema>
"
    );
    let path = format!("docs/xsd/{}.xsd", operation.id);
    Document { path, text }
}

/// The names of the answers of an operation, each once.
fn answers(operation: &Operation) -> Vec<&'static str> {
    let mut names: Vec<_> = operation.answers.iter().map(|answer| answer.name).collect();
    names.dedup();
    names
}

fn group_name(names: &[&str]) -> String {
    names.join("Or")
}

fn group(text: &mut String, schemas: &[&Schema], glossary: &Glossary) -> Result<()> {
    let names: Vec<_> = schemas.iter().map(|schema| schema.name).collect();
    let family = schemas.first().context("an answer")?.family;
    let fields = schemas.iter().map(|schema| schema.value.fields());
    let ways = fields.map(|fields| fields.get(ENVELOPE_LENGTH..).unwrap_or_default());
    let place = GlossaryPlace {
        family,
        side: Side::Answer(""),
    };
    writeln!(text, "  <xs:group name=\"{}\">", group_name(&names))?;
    let mut writer = Writer { text, glossary };
    writer.sequence(&ways.collect::<Vec<_>>(), place, 2)?;
    text.push_str("  </xs:group>\n");
    Ok(())
}

struct Writer<'a> {
    text: &'a mut String,
    glossary: &'a Glossary,
}

impl Writer<'_> {
    /// What ways have in common, then a choice of what is left: a validator must know at every
    /// element which way it is on.
    fn sequence(
        &mut self,
        ways: &[&[Field]],
        place: GlossaryPlace<'_>,
        depth: usize,
    ) -> Result<()> {
        let common = common_length(ways);
        let first = ways.first().copied().unwrap_or_default();
        self.line(depth, "<xs:sequence>");
        for field in first.get(..common).unwrap_or_default() {
            self.element(field, place, depth.saturating_add(1))?;
        }
        if ways.len() > 1 {
            self.line(depth.saturating_add(1), "<xs:choice>");
            for way in ways {
                let rest = way.get(common..).unwrap_or_default();
                self.sequence(&[rest], place, depth.saturating_add(2))?;
            }
            self.line(depth.saturating_add(1), "</xs:choice>");
        }
        self.line(depth, "</xs:sequence>");
        Ok(())
    }

    fn element(&mut self, field: &Field, place: GlossaryPlace<'_>, depth: usize) -> Result<()> {
        let absent = if field.required {
            ""
        } else {
            " minOccurs=\"0\""
        };
        let null = if field.value.nullable {
            " nillable=\"true\""
        } else {
            ""
        };
        let start = format!("<xs:element name=\"{}\"{absent}{null}", field.name);
        let word = self.glossary.word(place, &field.name)?;
        let place = GlossaryPlace {
            side: Side::Answer(&field.name),
            ..place
        };
        match simple_type(&field.value.shape, &word.kind) {
            Some(Simple::Named(name)) => self.line(depth, &format!("{start} type=\"{name}\"/>")),
            Some(Simple::Words(words)) => {
                self.line(depth, &format!("{start}>"));
                self.words(&words, depth.saturating_add(1));
                self.line(depth, "</xs:element>");
            }
            None => {
                self.line(depth, &format!("{start}><xs:complexType>"));
                self.content(&field.value, place, depth.saturating_add(1))?;
                self.line(depth, "</xs:complexType></xs:element>");
            }
        }
        Ok(())
    }

    /// What is inside an object or a list.
    fn content(
        &mut self,
        value: &ShapeValue,
        place: GlossaryPlace<'_>,
        depth: usize,
    ) -> Result<()> {
        match &value.shape {
            Shape::List { item, of } => self.items(item, of, (place, depth)),
            Shape::Object(fields) => self.sequence(&[fields], place, depth),
            Shape::Unknown | Shape::Text | Shape::Integer | Shape::Number | Shape::Boolean => {
                Ok(())
            }
        }
    }

    fn items(
        &mut self,
        item: &str,
        of: &ShapeValue,
        (place, depth): (GlossaryPlace<'_>, usize),
    ) -> Result<()> {
        let place = GlossaryPlace {
            side: Side::Answer(item),
            ..place
        };
        let many = "minOccurs=\"0\" maxOccurs=\"unbounded\"";
        self.line(depth, "<xs:sequence>");
        match simple_type(&of.shape, &ValueKind::Any) {
            Some(Simple::Named(name)) => {
                self.line(
                    depth,
                    &format!("<xs:element name=\"{item}\" type=\"{name}\" {many}/>"),
                );
            }
            Some(Simple::Words(_)) | None => {
                self.line(
                    depth,
                    &format!("<xs:element name=\"{item}\" {many}><xs:complexType>"),
                );
                self.content(of, place, depth.saturating_add(1))?;
                self.line(depth, "</xs:complexType></xs:element>");
            }
        }
        self.line(depth, "</xs:sequence>");
        Ok(())
    }

    fn words(&mut self, words: &[String], depth: usize) {
        let values = words
            .iter()
            .map(|word| format!("<xs:enumeration value=\"{word}\"/>"));
        let values: String = values.collect();
        let start = "<xs:simpleType><xs:restriction base=\"xs:string\">";
        let end = "</xs:restriction></xs:simpleType>";
        self.line(depth, &format!("{start}{values}{end}"));
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.text.extend(std::iter::repeat_n("  ", depth));
        self.text.push_str(line);
        self.text.push('\n');
    }
}

enum Simple {
    Named(&'static str),
    Words(Vec<String>),
}

/// The type of a value without children.
fn simple_type(shape: &Shape, kind: &ValueKind) -> Option<Simple> {
    match (shape, kind) {
        (Shape::Object(_) | Shape::List { .. }, _) => None,
        (Shape::Integer, _) => Some(Simple::Named("xs:integer")),
        (Shape::Number, _) => Some(Simple::Named("xs:decimal")),
        (Shape::Boolean, _) => Some(Simple::Named("xs:boolean")),
        (Shape::Text | Shape::Unknown, ValueKind::Pattern(pattern)) => {
            Some(Simple::Named(pattern.type_name))
        }
        (Shape::Text | Shape::Unknown, ValueKind::Words(words)) => {
            Some(Simple::Words(words.clone()))
        }
        (
            Shape::Text | Shape::Unknown,
            ValueKind::Any | ValueKind::Range(..) | ValueKind::Address | ValueKind::Moment,
        ) => Some(Simple::Named("xs:string")),
    }
}

/// How many fields all variants begin with; all of them where there is one variant.
fn common_length(ways: &[&[Field]]) -> usize {
    let Some((first, rest)) = ways.split_first() else {
        return 0;
    };
    let same = |(at, field): &(usize, &Field)| rest.iter().all(|way| way.get(*at) == Some(*field));
    first.iter().enumerate().take_while(same).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::tree::{Node, Object};

    fn fields(names: &[&'static str]) -> Vec<Field> {
        let object = names
            .iter()
            .fold(Object::new(), |all, name| all.with(*name, "x"));
        ShapeValue::of(&Node::from(object))
            .unwrap()
            .fields()
            .to_vec()
    }

    #[test]
    fn ways_are_distinguished_where_they_part_and_not_before() {
        let (one, other) = (
            fields(&["brandname", "company"]),
            fields(&["brandname", "price"]),
        );
        let glossary = Glossary::read().unwrap();
        let mut text = String::new();
        let mut writer = Writer {
            text: &mut text,
            glossary: &glossary,
        };
        let place = GlossaryPlace {
            family: "",
            side: Side::Answer(""),
        };
        let ways = [&*one, &*other];
        writer.sequence(&ways, place, 0).unwrap();
        let names: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.contains("sequence"))
            .collect();
        assert_eq!(
            names,
            [
                "<xs:element name=\"brandname\" type=\"xs:string\"/>",
                "<xs:choice>",
                "<xs:element name=\"company\" type=\"xs:string\"/>",
                "<xs:element name=\"price\" type=\"Amount\"/>",
                "</xs:choice>",
            ]
        );
    }
}
