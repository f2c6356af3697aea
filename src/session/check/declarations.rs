//! Puppet files: a program's value against a type; or, where no type is asked for, its aliases, and the types and default
//! values of all parameters that it declares.

use std::sync::Arc;

use super::{Checked, Finding, against, literal, told_of};
use crate::data::Document;
use crate::error::Error;
use crate::session::{Concern, Session};
use crate::syntax;
use crate::text::Source;
use crate::types::Type;
use crate::types::mismatch::mismatches;

impl Session {
    /// The value of a program and where its parts stand, as far as it is written as a literal.
    fn document(&mut self, source: &Arc<Source>) -> Result<Document, Error> {
        let value = self.evaluate(source, &mut |_| {})?;
        let tree = syntax::parse(source)?;
        let last = tree.statements().last().unwrap_or(&tree.body);
        Ok(Document::of_program(source, value, literal::place(&tree, *last)))
    }

    /// A program's value against a type.
    pub fn check_program(&mut self, source: &Arc<Source>, type_: &Type) -> Checked {
        match self.document(source) {
            Ok(document) => against(&document, type_),
            Err(error) => Checked::unreadable(error),
        }
    }

    /// Whether the type aliases of a program stand for types, and whether the default values of the parameters of its
    /// classes, defined types and functions are of the parameters' types. Default values that depend on what only a
    /// catalog knows are not looked at.
    ///
    /// The aliases and functions become known to the session.
    pub fn check_declarations(&mut self, source: &Arc<Source>) -> Checked {
        let tree = match syntax::parse(source) {
            Ok(tree) => tree,
            Err(error) => return Checked::unreadable(error),
        };
        let mut checked = Checked::default();
        let wrong = syntax::validate(&tree).into_iter().filter(|finding| finding.concern == Concern::Program);
        checked.findings.extend(wrong.map(|finding| Finding::error(finding.error)));
        let (aliases, faults) = self.world.check_aliases(&tree);
        checked.compared += aliases;
        checked.findings.extend(faults.into_iter().map(Finding::error));
        for declaration in self.world.declarations(&tree) {
            for parameter in declaration.parameters {
                checked.compared += 1;
                let type_ = match parameter.type_ {
                    Ok(type_) => type_,
                    Err(error) => {
                        checked.findings.push(Finding::error(error));
                        continue;
                    }
                };
                let Some(default) = parameter.default else { continue };
                let Some(value) = default.value else { continue };
                let document = Document::of_program(source, value, literal::place(&tree, default.id));
                for mismatch in mismatches(&type_, &document.value) {
                    let mut finding = told_of(&document, mismatch);
                    finding.error = finding.error.about(&format!("the default of ${}", parameter.name));
                    checked.findings.push(finding);
                }
            }
        }
        checked.sort();
        checked
    }
}
