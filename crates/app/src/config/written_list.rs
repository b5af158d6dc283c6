//! A list of tables of which every field is a single value, such as `[[route]]`. It must not know
//! what a field means: it keeps the texts as they were written.

use toml::{Table, Value};

use super::nearest::nearest;
use super::problem::ReadList;

/// What a list is called, and what its entries may hold.
#[derive(Debug)]
pub(super) struct ListForm<const N: usize> {
    /// The name of the section.
    pub(super) section: &'static str,
    /// What entries are called, many of them.
    pub(super) many: &'static str,
    /// The names of the fields.
    pub(super) fields: [&'static str; N],
    /// Most entries.
    pub(super) entries_max: usize,
    /// What to do where there are more.
    pub(super) remedy: &'static str,
    /// The text of a value; none where it is not a single one.
    pub(super) text: fn(Value) -> Option<String>,
}

/// An entry as it was written: the text of each field that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenEntry<const N: usize> {
    fields: [&'static str; N],
    texts: [Option<String>; N],
}

impl<const N: usize> WrittenEntry<N> {
    pub(super) fn get(&self, field: &str) -> Option<&str> {
        let at = self.fields.iter().position(|it| *it == field)?;
        self.texts.get(at)?.as_deref()
    }

    /// The entry in one line, for showing.
    pub(super) fn summary(&self) -> String {
        let fields = self.fields.into_iter().zip(&self.texts);
        let given = fields.filter_map(|(field, text)| Some(format!("{field} {}", text.as_ref()?)));
        given.collect::<Vec<_>>().join(", ")
    }
}

impl<const N: usize> ListForm<N> {
    /// Takes in the value of the section in a file.
    pub(super) fn read(&self, value: Value) -> ReadList<WrittenEntry<N>> {
        let Self { section, many, .. } = self;
        let mut list = ReadList::default();
        let Value::Array(entries) = value else {
            list.problem(format!("`{section}` is a list: write [[{section}]]"));
            return list;
        };
        if entries.len() > self.entries_max {
            let (count, max, remedy) = (entries.len(), self.entries_max, self.remedy);
            list.problem(format!(
                "`{section}`: there are {count} {many}, and {max} at most; {remedy}"
            ));
            return list;
        }
        for (index, entry) in (1_usize..).zip(entries) {
            if let Value::Table(table) = entry {
                self.read_one(&mut list, index, table);
            } else {
                list.problem(format!(
                    "{section} {index} must be a table: write [[{section}]]"
                ));
            }
        }
        list
    }

    fn read_one(&self, list: &mut ReadList<WrittenEntry<N>>, index: usize, mut table: Table) {
        let (section, fields) = (self.section, self.fields);
        let texts = fields.map(|field| {
            let text = (self.text)(table.remove(field)?);
            if text.is_none() {
                list.problem(format!(
                    "{section} {index}: `{field}` must be a single value"
                ));
            }
            text
        });
        for (name, _) in table {
            let meant = nearest(&name, fields)
                .map(|meant| format!("; did you mean `{meant}`?"))
                .unwrap_or_default();
            list.problem(format!("{section} {index}: `{name}` is not known{meant}"));
        }
        list.entries.push(WrittenEntry { fields, texts });
    }
}
