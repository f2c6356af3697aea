//! Binary operators: one table of symbols and precedences, and the precedence climbing loop.
//!
//! The loop parses an operand, then continues as long as an operator follows that binds tightly enough for the caller.
//! A chain of equally binding operators is one loop and grows the tree to the left, however long it is; only a tighter
//! operator on the right is a recursive call, so that the depth is at most the number of rows.

use super::conditionals::selector;
use super::epp::tag_end_length;
use super::errors::Expected;
use super::expressions::{operand, postfix};
use super::input::{Input, Parsed};
use super::lexical::{keyword_follows, token};
use super::regexp::regexp_follows;
use super::tree::{Expression, Id, UnaryOperator};

/// An operator between two operands.
pub(crate) struct Row {
    /// As written.
    pub(crate) text: &'static str,
    /// What it makes.
    pub(crate) operator: BinaryOperator,
    /// A higher power binds tighter.
    pub(crate) power: u8,
}

/// The operators between two operands and the table of their texts and powers, both from the same rows.
macro_rules! binary_operators {
    ($(#[$doc:meta])* $($operator:ident $text:literal $power:expr;)*) => {
        /// The operators between two expressions.
        ///
        /// ```
        /// use pcore::syntax::{parse, tree::{BinaryOperator, Expression}};
        /// let tree = parse(&pcore::text::Source::new("site.pp", "1 + 2 * 3"))?;
        /// let Expression::Binary(operator, ..) = &tree[tree.body].expression else { panic!("an operation") };
        /// assert_eq!(*operator, BinaryOperator::Plus);
        /// # Ok::<(), pcore::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum BinaryOperator {
            $(#[doc = concat!("`", $text, "`")] $operator,)*
        }

        $(#[$doc])*
        pub(crate) const TABLE: &[Row] = &[
            $(Row { text: $text, operator: BinaryOperator::$operator, power: $power },)*
        ];
    };
}

/// The operators before an operand, with their texts; they bind tighter than those between two.
pub(crate) const PREFIXES: &[(&str, UnaryOperator)] =
    &[("-", UnaryOperator::Minus), ("!", UnaryOperator::Not), ("*", UnaryOperator::Unfold)];

/// The power of the selector's `?`: looser than comparisons, tighter than `and`.
///
/// Observed: Puppet 8.11 reads `$a == $b ? { … }` as `($a == $b) ? { … }`, and `$a and $b ? { … }` as
/// `$a and ($b ? { … })`.
pub(crate) const SELECTOR_POWER: u8 = 5;

/// The power of `->` and its like, which stand between whole resources; assignments bind even looser.
pub(crate) const RELATIONSHIP_POWER: u8 = 2;

binary_operators! {
    /// ```ebnf
    /// disjunction ::= conjunction ("or" conjunction)*
    /// conjunction ::= selection ("and" selection)*
    /// selection ::= comparison (selector postfixes)*
    /// comparison ::= equality ((">=" | "<=" | ">" | "<") equality)*
    /// equality ::= shift (("==" | "!=") shift)*
    /// shift ::= sum (("<<" | ">>") sum)*
    /// sum ::= product (("+" | "-") product)*
    /// product ::= match (("*" | !regexp_follows "/" | "%") match)*
    /// match ::= membership (("=~" | "!~") membership)*
    /// membership ::= operand ("in" operand)*
    /// ```
    ///
    /// Every operator between two operands, all of them grouping to the left, tightest first. The row of an operator is at its
    /// number.
    ///
    /// Observed: Puppet 8.11, whose `in`, `=~` and `!~` bind tighter than arithmetic, and `==` tighter than `<`.
    In "in" 12;
    Match "=~" 11;
    NoMatch "!~" 11;
    Multiply "*" 10;
    Divide "/" 10;
    Modulo "%" 10;
    Plus "+" 9;
    Minus "-" 9;
    ShiftLeft "<<" 8;
    ShiftRight ">>" 8;
    Equal "==" 7;
    NotEqual "!=" 7;
    GreaterOrEqual ">=" 6;
    LessOrEqual "<=" 6;
    Greater ">" 6;
    Less "<" 6;
    And "and" 4;
    Or "or" 3;
    Before "->" RELATIONSHIP_POWER;
    After "<-" RELATIONSHIP_POWER;
    Notifies "~>" RELATIONSHIP_POWER;
    NotifiedBy "<~" RELATIONSHIP_POWER;
}

/// ```ebnf
/// expression ::= disjunction !infix
/// infix ::= "-" | "*" | !regexp_follows "/"
/// ```
///
/// Everything that binds tighter than a relationship: what conditions, titles, cases and attribute values are made of.
pub(super) fn expression(input: Input<'_>) -> Parsed<'_, Id> {
    input.nested(|input| climb(input, RELATIONSHIP_POWER + 1))
}

/// Reads operands and the operators between them that bind at least as tightly as `power`.
pub(super) fn climb(input: Input<'_>, power: u8) -> Parsed<'_, Id> {
    let (mut here, mut left) = operand(input)?;
    loop {
        if power <= SELECTOR_POWER && here.byte() == b'?' {
            let (after, selected) = selector(here, left)?;
            (here, left) = postfix(after, selected)?;
        } else if let Some(row) = operator(here).filter(|row| row.power >= power) {
            let place = here.offset;
            let (after, ()) = token(here.skip(row.text.len()), ())?;
            let (after, right) = climb(after, row.power + 1)?;
            let span = here.span_of(left).to(here.span_of(right));
            left = here.node_at(span, place, Expression::Binary(row.operator, left, right));
            here = after;
        } else {
            here.note(Expected::Operator);
            return Ok((here, left));
        }
    }
}

/// The rows whose text starts with each ASCII character, as bits by position: most characters start none.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const STARTING_WITH: [u32; 128] = {
    let mut rows = [0; 128];
    let mut at = 0;
    while at < TABLE.len() {
        rows[TABLE[at].text.as_bytes()[0] as usize] |= 1 << at;
        at += 1;
    }
    rows
};

/// Returns the row of the operator at `input`, if there is one. The first byte usually decides.
#[inline]
pub(super) fn operator(input: Input<'_>) -> Option<&'static Row> {
    match STARTING_WITH.get(usize::from(input.byte())) {
        None | Some(0) => None,
        Some(rows) => operator_of(*rows, input),
    }
}

/// Returns the row, among those given as bits, whose operator is at `input`.
#[inline(never)]
fn operator_of(rows: u32, input: Input<'_>) -> Option<&'static Row> {
    let first = input.byte();
    // Symbols that begin like an operator and are none.
    match (first, input.byte_at(1)) {
        (b'=', b'=' | b'~') => {}
        (b'=', _) | (b'+', b'>' | b'=') | (b'-', b'=') | (b'<', b'|') => return None,
        (b'<', b'<') if input.byte_at(2) == b'|' => return None,
        (b'%' | b'-', _) if tag_end_length(input) > 0 => return None,
        (b'/', _) if regexp_follows(input) => return None,
        _ => {}
    }
    let some = |rows: u32| (rows != 0).then_some(rows);
    let candidates = std::iter::successors(some(rows), |rows| some(rows & (rows - 1)));
    let mut candidates = candidates.filter_map(|rows| TABLE.get(rows.trailing_zeros() as usize));
    if first.is_ascii_lowercase() {
        return candidates.find(|row| keyword_follows(row.text, input));
    }
    candidates.filter(|row| input.rest().starts_with(row.text)).max_by_key(|row| row.text.len())
}

/// The operator as it is written.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn symbol(operator: BinaryOperator) -> &'static str {
    TABLE[operator as usize].text
}

/// The operator as it is written.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn prefix_symbol(operator: UnaryOperator) -> &'static str {
    PREFIXES[operator as usize].0
}

#[cfg(test)]
mod tests {
    use super::{PREFIXES, RELATIONSHIP_POWER, SELECTOR_POWER, TABLE, prefix_symbol, symbol};

    /// The lines of the written grammar that list operators between two operands, loosest first.
    fn written() -> Vec<Vec<String>> {
        let grammar = include_str!("../../grammar/puppet.ebnf");
        let (_, block) = grammar.split_once("\nrelationship ::= ").expect("the grammar has relationships");
        let (block, _) = block.split_once("\nexpression ::= ").expect("the block ends with expression");
        let productions = block.lines().filter(|line| line.contains("::=") || line.starts_with("resource"));
        let literals = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        productions.map(literals).collect()
    }

    #[test]
    fn the_table_is_the_written_one() {
        let mut table = Vec::new();
        let highest = TABLE.iter().map(|row| row.power).max().unwrap();
        for power in RELATIONSHIP_POWER..=highest {
            let rows = TABLE.iter().filter(|row| row.power == power);
            table.push(rows.map(|row| row.text.to_owned()).collect::<Vec<_>>());
        }
        assert_eq!(written(), table);
        assert_eq!(table[usize::from(SELECTOR_POWER - RELATIONSHIP_POWER)], Vec::<String>::new());
    }

    #[test]
    fn the_row_of_an_operator_is_at_its_number() {
        for row in TABLE {
            assert_eq!(symbol(row.operator), row.text);
        }
        for (text, operator) in PREFIXES {
            assert_eq!(prefix_symbol(*operator), *text);
        }
    }
}
