//! Code assistance for editors: completion, signature help, highlighting, bracket matching, indentation, symbol search
//! and the type expected at a cursor.
//!
//! Each function takes a text, which may be unfinished or wrong, a cursor as a byte offset and a [`SymbolIndex`], a
//! snapshot of the symbols of a session. It returns data; colours and layout are up to the editor.
//!
//! ```
//! use pcore::assist::{SymbolIndex, complete, highlight, signature_help};
//! use pcore::session::Session;
//! use pcore::syntax::tokens::Kind;
//!
//! let mut session = Session::default();
//! session.eval("$x = 'a'").expect("a definition");
//! let symbols = SymbolIndex::of(&session);
//!
//! let text = "$x =~ Str";
//! let completion = complete(text, text.len(), &symbols);
//! assert_eq!(completion.range, 6..9);
//! let labels: Vec<&str> = completion.candidates.iter().map(|candidate| candidate.label.as_str()).collect();
//! assert_eq!(labels, ["String", "Struct"]);
//!
//! let tokens = highlight("$x =~ Strin", None, &symbols);
//! assert_eq!((tokens[2].kind, &tokens[2].range, tokens[2].is_unknown), (Kind::Reference, &(6..11), true));
//!
//! let text = "$x =~ String[1, ";
//! let help = signature_help(text, text.len(), &symbols).unwrap();
//! assert_eq!(help.signatures[0].parameters[help.active_parameter].label, "to");
//! ```

pub mod brackets;
pub mod candidates;
pub mod completion;
pub mod expectation;
pub mod highlight;
pub mod indent;
pub mod signature;
mod static_eval;
pub mod symbols;

pub use candidates::{Candidate, CandidateKind, Rank};
pub use completion::{Completion, complete};
pub use expectation::{Expectation, expectation_at_cursor};
pub use highlight::{HighlightedToken, highlight};
pub use signature::{Signature, SignatureHelp, signature_help};
pub use symbols::SymbolIndex;
