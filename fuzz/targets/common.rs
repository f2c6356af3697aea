//! Sessions that end soon, whatever a fuzzer makes them do.

use pcore::limits::{Limit, Limits};
use pcore::session::{Session, Strictness};

/// A session that sees no file, with limits far below the usual.
pub fn session() -> Session {
    let limits = Limits::default()
        .with(Limit::Elements, 100_000)
        .with(Limit::String, 1 << 20)
        .with(Limit::Output, 1 << 20)
        .with(Limit::Steps, 300_000);
    Session::builder().strictness(Strictness::Warning).limits(limits).build()
}
