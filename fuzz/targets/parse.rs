//! Any text is parsed or rejected, and what is parsed is printed and parsed again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pcore::syntax;
use pcore::text::Source;

fuzz_target!(|text: &str| {
    if let Ok(tree) = syntax::parse(&Source::new("text", text)) {
        let _ = syntax::pn::to_pn(&tree);
        let _ = syntax::validate(&tree);
    }
    let _ = syntax::parse_template(&Source::new("template", text));
});
