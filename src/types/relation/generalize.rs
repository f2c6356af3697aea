//! Types without details about particular values, such as ranges and sizes.

use rustc_hash::FxHashMap;

use crate::stack;
use crate::types::{Rules, Type, on_rules};

#[derive(Debug, Default)]
pub(in crate::types) struct Generalization {
    seen: FxHashMap<usize, Type>,
}

impl Generalization {
    /// `type_` without restrictions to particular values.
    pub(in crate::types) fn of(&mut self, type_: &Type) -> Type {
        if matches!(type_, Type::Alias(_)) || type_.row().is_general {
            return type_.clone();
        }
        if !type_.is_nested() {
            return on_rules!(type_, rules => rules.generalized(&mut |inner| self.of(inner)));
        }
        if let Some(general) = self.seen.get(&type_.address()) {
            return general.clone();
        }
        let general = stack::with_room(|| on_rules!(type_, rules => rules.generalized(&mut |inner| self.of(inner))));
        self.seen.insert(type_.address(), general.clone());
        general
    }
}
