//! The program `pcore`: arguments in, a driver of the session chosen.

fn main() {}
