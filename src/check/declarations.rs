//! Checks Puppet files: the value of a program against a type; or, without a type, its aliases, and the types and
//! default values of all parameters.

use std::sync::Arc;

use super::{Checked, Finding, against, finding, literal_spans};
use crate::data::Document;
use crate::error::Error;
use crate::eval::{Declaration, Declared};
use crate::session::Session;
use crate::syntax::tree::Tree;
use crate::syntax::{self, Severity};
use crate::text::Source;
use crate::types::Type;
use crate::types::relation::mismatch::mismatches;

impl Session {
    /// The value of a program and where its parts stand, as far as it is written as a literal.
    fn document(&mut self, source: &Arc<Source>) -> Result<Document, Error> {
        let value = self.evaluate(source, &mut |_| {})?;
        let tree = syntax::parse(source)?;
        let last = tree.statements().last().unwrap_or(&tree.body);
        Ok(Document::of_program(source, value, literal_spans::place(&tree, *last)))
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
        let wrong = syntax::validate(&tree).into_iter().filter(|finding| finding.severity == Severity::Program);
        checked.findings.extend(wrong.map(|finding| Finding::error(finding.error)));
        self.world.interrupt = self.interrupt.clone();
        let (aliases, faults) = self.world.check_aliases(&tree);
        checked.compared += aliases;
        checked.findings.extend(faults.into_iter().map(Finding::error));
        for declaration in self.world.declarations(&tree) {
            if let Err(ended) = self.check_parameters(&tree, &declaration, &mut checked) {
                checked.findings.push(Finding::error(ended));
                break;
            }
        }
        checked.sort();
        checked
    }

    /// # Errors
    /// The evaluation of a default value was ended from outside.
    fn check_parameters(&mut self, tree: &Tree, declaration: &Declaration, checked: &mut Checked) -> Result<(), Error> {
        for parameter in &declaration.parameters {
            checked.compared += 1;
            match self.world.type_of(declaration, parameter) {
                Ok(type_) => self.check_default(tree, parameter, &type_, checked)?,
                Err(error) => checked.findings.push(Finding::error(error)),
            }
        }
        Ok(())
    }

    fn check_default(
        &mut self,
        tree: &Tree,
        parameter: &Declared,
        type_: &Type,
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let Some(default) = parameter.default else { return Ok(()) };
        let Some(value) = self.world.value_of(tree, default)? else { return Ok(()) };
        let document = Document::of_program(&tree.source, value, literal_spans::place(tree, default));
        for mismatch in mismatches(type_, &document.value) {
            let mut finding = finding(&document, mismatch);
            finding.error = finding.error.about(&format!("the default of ${}", parameter.name));
            checked.findings.push(finding);
        }
        Ok(())
    }
}
