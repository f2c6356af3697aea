//! The commands that read or write files. What they ask for is carried out where files may be touched.

use super::{Argument, Command, Family, Kind};
use crate::session::{Reply, Request};

/// Files in and out.
pub(super) static FAMILY: Family = Family {
    title: "files",
    commands: &[Command {
        name: "load",
        argument: Argument::Required(Kind::File),
        summary: "run a snippet file; what it defines stays",
        story: "",
        example: "load types.pp",
        effect: |_, path, _| Reply::Asked(Request::Load(vec![path.to_owned()])),
    }],
};
