//! Code assistance, as an editor asks for it.

mod completion;
mod highlight;
mod indent;
mod signature;
