//! The shapes of answers, inferred from answers: names, order, types, and what may be null or
//! absent. It must not know the meaning of a name.

use anyhow::{Context, Result, bail};
use wire::tree::{Node, Object};

/// The shape of a value at one position of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeValue {
    pub shape: Shape,
    pub nullable: bool,
}

/// The type of a value that is not null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Only null was seen, or a list without items: the type is not known yet.
    Unknown,
    Text,
    Integer,
    Number,
    Boolean,
    Object(Vec<Field>),
    List {
        item: &'static str,
        of: Box<ShapeValue>,
    },
}

/// One name of an object, in the order of its answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub value: ShapeValue,
    /// Whether every answer has it.
    pub required: bool,
}

impl ShapeValue {
    const UNKNOWN: Self = Self::plain(Shape::Unknown);

    const fn plain(shape: Shape) -> Self {
        let nullable = false;
        Self { shape, nullable }
    }

    /// The shape of one answer.
    ///
    /// # Errors
    /// When the items of one list cannot have one shape.
    pub fn of(node: &Node) -> Result<Self> {
        Ok(match node {
            Node::Text(_) => Self::plain(Shape::Text),
            Node::Integer(_) => Self::plain(Shape::Integer),
            Node::Float(_) => Self::plain(Shape::Number),
            Node::Boolean(_) => Self::plain(Shape::Boolean),
            Node::Null => Self {
                nullable: true,
                ..Self::UNKNOWN
            },
            Node::Object(object) => Self::plain(Shape::Object(fields_of(object)?)),
            Node::List { item, items } => {
                let of = items.iter().try_fold(Self::UNKNOWN, |known, node| {
                    known
                        .merge(Self::of(node)?)
                        .with_context(|| format!("in a list of {item}"))
                })?;
                let of = Box::new(of);
                Self::plain(Shape::List { item, of })
            }
        })
    }

    /// The common shape of both.
    ///
    /// # Errors
    /// When one position has two types, or two names come in both orders.
    pub fn merge(self, other: Self) -> Result<Self> {
        Ok(Self {
            nullable: self.nullable || other.nullable,
            shape: self.shape.merge(other.shape)?,
        })
    }

    /// The names of an object; nothing of other values.
    pub fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Object(fields) => fields,
            Shape::Unknown
            | Shape::Text
            | Shape::Integer
            | Shape::Number
            | Shape::Boolean
            | Shape::List { .. } => &[],
        }
    }
}

impl Shape {
    fn merge(self, other: Self) -> Result<Self> {
        Ok(match (self, other) {
            (Self::Unknown, known) | (known, Self::Unknown) => known,
            (Self::Object(one), Self::Object(other)) => Self::Object(merge_fields(one, other)?),
            (
                Self::List { item, of },
                Self::List {
                    item: same,
                    of: more,
                },
            ) if item == same => {
                let of = Box::new(of.merge(*more)?);
                Self::List { item, of }
            }
            (one, other) if one == other => one,
            (one, other) => bail!("is both {one:?} and {other:?}"),
        })
    }
}

fn fields_of(object: &Object) -> Result<Vec<Field>> {
    let field = |(name, node): (&str, &Node)| {
        Ok(Field {
            name: name.to_owned(),
            value: ShapeValue::of(node).with_context(|| name.to_owned())?,
            required: true,
        })
    };
    object.fields().map(field).collect()
}

/// A name that only some answers have is placed behind the name it follows there.
fn merge_fields(mut known: Vec<Field>, seen: Vec<Field>) -> Result<Vec<Field>> {
    for field in &mut known {
        let always = |other: &Field| other.required && other.name == field.name;
        field.required &= seen.iter().any(always);
    }
    let mut next = 0_usize;
    for field in seen {
        let place = known.iter().position(|other| other.name == field.name);
        let Some((place, same)) = place.and_then(|at| Some((at, known.get_mut(at)?))) else {
            let required = false;
            known.insert(next, Field { required, ..field });
            next = next.saturating_add(1);
            continue;
        };
        if place < next {
            bail!("{} stands before and behind another name", field.name);
        }
        let merged = same.value.clone().merge(field.value);
        same.value = merged.with_context(|| field.name.clone())?;
        next = place.saturating_add(1);
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(answers: impl IntoIterator<Item = Object>) -> Result<ShapeValue> {
        let answers = answers.into_iter().map(Node::from);
        answers
            .map(|node| ShapeValue::of(&node))
            .try_fold(ShapeValue::UNKNOWN, |known, value| known.merge(value?))
    }

    fn names(value: &ShapeValue) -> Vec<(&str, bool, bool)> {
        let fields = value.fields().iter();
        fields
            .map(|field| (&*field.name, field.required, field.value.nullable))
            .collect()
    }

    #[test]
    fn a_value_that_is_null_once_may_be_null_and_keeps_its_type() {
        let (null, text) = (
            Object::new().with("a", None::<String>),
            Object::new().with("a", "x"),
        );
        let value = seen([null.clone(), text]).unwrap();
        assert_eq!(names(&value), [("a", true, true)]);
        assert_eq!(value.fields()[0].value.shape, Shape::Text);
        assert_eq!(
            seen([null]).unwrap().fields()[0].value.shape,
            Shape::Unknown
        );
    }

    #[test]
    fn a_name_some_answers_lack_keeps_its_place_and_is_not_required() {
        let long = Object::new().with("a", "x").with("b", "x").with("c", "x");
        let short = Object::new().with("a", "x").with("c", "x");
        let expected = [("a", true, false), ("b", false, false), ("c", true, false)];
        assert_eq!(
            names(&seen([long.clone(), short.clone()]).unwrap()),
            expected
        );
        let lists = [vec![long.clone()], vec![long.clone(), short.clone()]];
        let lists = lists.map(|items| Object::new().with("l", Node::objects("i", items)));
        let Shape::List { of, .. } = seen(lists).unwrap().fields()[0].value.shape.clone() else {
            panic!("a list");
        };
        assert_eq!(names(&of), expected);
        assert_eq!(names(&seen([short, long]).unwrap()), expected);
    }

    #[test]
    fn two_types_or_two_orders_have_no_shape() {
        let types = [Object::new().with("a", "x"), Object::new().with("a", 1_u64)];
        assert!(seen(types).is_err());
        let orders = [
            Object::new().with("a", "x").with("b", "x"),
            Object::new().with("b", "x").with("a", "x"),
        ];
        assert!(seen(orders).is_err());
    }

    #[test]
    fn the_items_of_a_list_share_one_shape() {
        let items = [
            Object::new().with("a", "x"),
            Object::new().with("a", "x").with("b", 1_u64),
        ];
        let list = Node::objects("item", items);
        let Shape::List { item, of } = ShapeValue::of(&list).unwrap().shape else {
            panic!("a list");
        };
        assert_eq!(item, "item");
        assert_eq!(names(&of), [("a", true, false), ("b", false, false)]);
    }
}
