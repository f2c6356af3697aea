//! The table of operators is that of the written grammar.

use super::{
    DISJUNCTION_POWER, PREFIX_OPERATORS, RELATIONSHIP_POWER, SELECTOR_POWER, TABLE, binary_operator_text,
    unary_operator_text,
};

/// The lines of the written grammar that list operators between two operands, loosest first: their production, and
/// the operators.
fn written() -> Vec<(String, Vec<String>)> {
    let grammar = include_str!("../../../grammar/puppet.ebnf");
    let (_, block) = grammar.split_once("\nrelationship ").expect("the grammar has relationships");
    let (block, _) = block.split_once("\nexpression ::= ").expect("the block ends with expression");
    let block = format!("relationship {block}");
    let productions = block.lines().filter_map(|line| line.split_once(" ::= "));
    let literals = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let is_level = |level: &str| level == "selection" || TABLE.iter().any(|row| row.production == level);
    let levels = productions.filter(|(level, _)| is_level(level));
    levels.map(|(level, line)| (level.to_owned(), literals(line))).collect()
}

#[test]
fn the_table_is_the_written_one() {
    let powers = std::iter::once(RELATIONSHIP_POWER).chain(DISJUNCTION_POWER..);
    for (power, (level, texts)) in powers.zip(written()) {
        let rows: Vec<_> = TABLE.iter().filter(|row| row.binding_power == power).collect();
        assert_eq!(rows.iter().map(|row| row.text.to_owned()).collect::<Vec<_>>(), texts, "{level}");
        assert!(rows.iter().all(|row| row.production == level), "{level}");
        assert_eq!(power == SELECTOR_POWER, level == "selection");
    }
    assert_eq!(written().len(), 11);
}

#[test]
fn the_row_of_an_operator_is_at_its_number() {
    for row in TABLE {
        assert_eq!(binary_operator_text(row.operator), row.text);
    }
    for (text, operator) in PREFIX_OPERATORS {
        assert_eq!(unary_operator_text(*operator), *text);
    }
}
