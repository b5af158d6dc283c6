//! Where mutants go in a source file: its expressions, found in its syntax by the places that
//! cargo-mutants names. It must leave a mutant out that a switch cannot stand for, and say which.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use anyhow::{Context, Result};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Signature};

use crate::mutants::list::{Genre, Mutant, Place};

/// A mutant with its number in this run.
pub(super) type Numbered<'a> = (usize, &'a Mutant);

/// A part of the file that switches choose in.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) kind: EditKind,
}

/// What is written for each part. A switch is a mutant's number and what it puts there.
#[derive(Debug)]
pub(super) enum EditKind {
    /// The function returns at once.
    Body(Vec<(usize, String)>),
    Binary {
        left: Range<usize>,
        operator: Range<usize>,
        right: Range<usize>,
        switches: Vec<(usize, String)>,
    },
    /// The operator is left out.
    Unary(usize, Range<usize>),
    /// The guard is true or false, whatever it says. With a `let` in it, it can only be false.
    Guard {
        always: Option<usize>,
        never: Option<usize>,
        with_let: bool,
    },
    /// The arm does not match.
    Arm(usize),
    /// A field is left out of a structure that is made after another.
    Fields(Vec<(usize, Range<usize>)>),
    /// The `const` of a function: a switch reads the environment.
    NoLongerConst,
}

/// The edits of one file, outer ones before those within, and what has none.
#[derive(Debug, Default)]
pub(super) struct FilePlan {
    pub(super) edits: Vec<Edit>,
    /// They do not compile: `||` where a `let` is one of the operands.
    pub(super) unviable: Vec<usize>,
    /// The names of functions that are `const` no longer, by the mutants in them.
    pub(super) const_functions: Vec<(String, usize)>,
}

impl FilePlan {
    pub(super) fn new(source: &str, mutants: &[Numbered<'_>]) -> Result<Self> {
        let file = syn::parse_file(source).context("a source file is not understood")?;
        let mut wanted: HashMap<_, Vec<_>> = HashMap::new();
        for (number, mutant) in mutants {
            let place = (mutant.genre, mutant.span.start);
            let replacement = mutant.replacement.clone();
            wanted
                .entry(place)
                .or_default()
                .push((*number, replacement));
        }
        let mut finder = Finder {
            wanted,
            plan: Self::default(),
            constants: 0,
            chains: HashSet::new(),
            switched: Vec::new(),
        };
        finder.visit_file(&file);
        let mut plan = finder.plan;
        let order = |edit: &Edit| (edit.range.start, usize::MAX - edit.range.end);
        plan.edits.sort_by_key(order);
        Ok(plan)
    }
}

struct Finder {
    wanted: HashMap<(Genre, Place), Vec<(usize, String)>>,
    plan: FilePlan,
    /// How many constants the place is within: their value is made by the compiler.
    constants: usize,
    /// The `&&` of conditions with a `let`.
    chains: HashSet<Place>,
    switched: Vec<usize>,
}

fn start(node: &impl Spanned) -> Place {
    let start = node.span().start();
    Place {
        line: start.line,
        column: start.column.saturating_add(1),
    }
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

impl Finder {
    /// The mutants of this kind at this place, which a switch can stand for.
    fn take(&mut self, genre: Genre, place: Place) -> Vec<(usize, String)> {
        if self.constants > 0 {
            return Vec::new();
        }
        let taken = self.wanted.remove(&(genre, place)).unwrap_or_default();
        self.switched.extend(taken.iter().map(|(number, _)| number));
        taken
    }

    fn push(&mut self, range: Range<usize>, kind: EditKind) {
        self.plan.edits.push(Edit { range, kind });
    }

    fn function(&mut self, signature: &Signature, block: &Block, within: impl FnOnce(&mut Self)) {
        let before = self.switched.len();
        if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
            let switches = self.take(Genre::FnValue, start(first));
            if !switches.is_empty() {
                let body = range(first).start..range(last).end;
                self.push(body, EditKind::Body(switches));
            }
        }
        within(self);
        let inside = self.switched.get(before..).unwrap_or_default().to_vec();
        if let (Some(token), false) = (&signature.constness, inside.is_empty()) {
            self.push(range(token), EditKind::NoLongerConst);
            let named = inside
                .into_iter()
                .map(|number| (signature.ident.to_string(), number));
            self.plan.const_functions.extend(named);
        }
    }

    fn constant(&mut self, within: impl FnOnce(&mut Self)) {
        self.constants = self.constants.saturating_add(1);
        within(self);
        self.constants = self.constants.saturating_sub(1);
    }

    fn binary(&mut self, node: &syn::ExprBinary) {
        let is_and = matches!(node.op, BinOp::And(_));
        if is_and && (has_let(&node.left) || has_let(&node.right)) {
            self.mark_chain(node);
        }
        let place = start(&node.op);
        let switches = self.take(Genre::BinaryOperator, place);
        if switches.is_empty() {
            return;
        }
        if self.chains.contains(&place) {
            let numbers = switches.into_iter().map(|(number, _)| number);
            self.plan.unviable.extend(numbers);
            return;
        }
        let kind = EditKind::Binary {
            left: range(&node.left),
            operator: range(&node.op),
            right: range(&node.right),
            switches,
        };
        self.push(range(node), kind);
    }

    fn mark_chain(&mut self, node: &syn::ExprBinary) {
        self.chains.insert(start(&node.op));
        for side in [&*node.left, &*node.right] {
            if let Expr::Binary(inner) = side
                && matches!(inner.op, BinOp::And(_))
            {
                self.mark_chain(inner);
            }
        }
    }

    fn arm(&mut self, arm: &syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            let switches = self.take(Genre::MatchArmGuard, start(guard));
            let of = |value: &str| {
                let mut those = switches.iter().filter(|(_, text)| text == value);
                those.next().map(|(number, _)| *number)
            };
            let with_let = has_let(guard);
            let always = of("true").filter(|_| !with_let);
            let kind = EditKind::Guard {
                always,
                never: of("false"),
                with_let,
            };
            if !switches.is_empty() {
                self.push(range(&**guard), kind);
            }
        } else if let [(number, _)] = *self.take(Genre::MatchArm, start(arm)) {
            self.push(range(&arm.pat), EditKind::Arm(number));
        }
    }
}

/// Whether an operand of the condition is a `let`.
fn has_let(expression: &Expr) -> bool {
    if let Expr::Binary(node) = expression {
        let is_and = matches!(node.op, BinOp::And(_));
        return is_and && (has_let(&node.left) || has_let(&node.right));
    }
    matches!(expression, Expr::Let(_))
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.function(&node.sig, &node.block, |finder| {
            visit::visit_item_fn(finder, node);
        });
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        self.function(&node.sig, &node.block, |finder| {
            visit::visit_impl_item_fn(finder, node);
        });
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        match &node.default {
            Some(block) => self.function(&node.sig, block, |finder| {
                visit::visit_trait_item_fn(finder, node);
            }),
            None => visit::visit_trait_item_fn(self, node),
        }
    }

    fn visit_item_const(&mut self, node: &'ast syn::ItemConst) {
        self.constant(|finder| visit::visit_item_const(finder, node));
    }

    fn visit_impl_item_const(&mut self, node: &'ast syn::ImplItemConst) {
        self.constant(|finder| visit::visit_impl_item_const(finder, node));
    }

    fn visit_trait_item_const(&mut self, node: &'ast syn::TraitItemConst) {
        self.constant(|finder| visit::visit_trait_item_const(finder, node));
    }

    fn visit_item_static(&mut self, node: &'ast syn::ItemStatic) {
        self.constant(|finder| visit::visit_item_static(finder, node));
    }

    fn visit_expr_const(&mut self, node: &'ast syn::ExprConst) {
        self.constant(|finder| visit::visit_expr_const(finder, node));
    }

    fn visit_variant(&mut self, node: &'ast syn::Variant) {
        self.constant(|finder| visit::visit_variant(finder, node));
    }

    fn visit_type_array(&mut self, node: &'ast syn::TypeArray) {
        self.constant(|finder| visit::visit_type_array(finder, node));
    }

    fn visit_generic_argument(&mut self, node: &'ast syn::GenericArgument) {
        self.constant(|finder| visit::visit_generic_argument(finder, node));
    }

    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        self.binary(node);
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        if let [(number, _)] = *self.take(Genre::UnaryOperator, start(&node.op)) {
            let kind = EditKind::Unary(number, range(&node.expr));
            self.push(range(node), kind);
        }
        visit::visit_expr_unary(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        self.arm(node);
        visit::visit_arm(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        let mut switches = Vec::new();
        for pair in node.fields.pairs() {
            let field = range(pair.value());
            let end = pair.punct().map_or(field.end, |comma| range(comma).end);
            let taken = self.take(Genre::StructField, start(pair.value()));
            switches.extend(
                taken
                    .into_iter()
                    .map(|(number, _)| (number, field.start..end)),
            );
        }
        if !switches.is_empty() {
            self.push(range(node), EditKind::Fields(switches));
        }
        visit::visit_expr_struct(self, node);
    }
}
