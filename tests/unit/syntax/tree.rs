//! The size of nodes, and what is within an expression.

use super::{Id, Node, Tree};
use crate::syntax::parse;
use crate::text::Source;

fn parts(tree: &Tree, id: Id) -> Vec<usize> {
    let (mut found, mut pending) = (Vec::new(), vec![id]);
    while let Some(id) = pending.pop() {
        found.push(id.index());
        tree[id].expression.for_each_child(&mut |child| pending.push(child));
    }
    found.sort_unstable();
    found
}

/// A check keeps the nodes of all files.
#[test]
fn nodes_are_small() {
    assert_eq!(size_of::<Node>(), 48);
}

#[test]
fn an_expression_is_within_itself_with_all_its_parts() {
    let text =
        "class a($p = [1, 2]) inherits b { $x = $p.map |$i| { $i + 1 } file { \"/${x}\": mode => $x ? { 1 => 2 } } }
                if $y { notice($z) } elsif 1 < 2 { $q[0] = 1 } else { case 1 { 2, 3: { f() } } }";
    let tree = parse(&Source::new("site.pp", text)).expect("it is a program");
    for id in (0..tree.nodes.len()).map(Id::from_index) {
        assert_eq!(tree.nodes_within(id).count(), parts(&tree, id).len(), "{:?}", tree[id]);
    }
}
