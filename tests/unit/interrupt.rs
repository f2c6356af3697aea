//! Tests of `interrupt`, of which it is a module.

use super::*;
use crate::stack;

fn down(levels: u32) -> u32 {
    if levels == 0 {
        poll();
        return 0;
    }
    stack::with_room(|| down(levels - 1)) + 1
}

#[test]
fn work_ends_where_it_looks_also_on_another_segment_of_the_stack() {
    let interrupt = Interrupt::default();
    assert_eq!(interrupt.run_interruptible(|| down(100_000)).ok(), Some(100_000));
    interrupt.raise();
    assert_eq!(interrupt.run_interruptible(|| down(100_000)).map_err(|ended| ended.code()), Err(INTERRUPTED));
    interrupt.clear();
    interrupt.set_limit_watch(Some(Box::new(|| Some("took long".into()))));
    let ended = interrupt.run_interruptible(|| down(1)).unwrap_err();
    assert_eq!((ended.code(), ended.to_string().as_str()), ("LIMIT", "the evaluation took long"));
}

#[test]
fn short_loops_in_a_loop_that_takes_no_steps_are_noticed() {
    let short_loops = || (0..10_000).for_each(|_| step_through(0..3).for_each(drop));
    let early_ends = || (0..10_000).all(|_| step_through(0..3).any(|n| n == 1));
    let interrupt = Interrupt::default();
    assert_eq!(interrupt.run_with_step_limit(1_000, short_loops).map_err(|ended| ended.code()), Err(LIMIT));
    assert_eq!(interrupt.run_with_step_limit(1_000, early_ends).map_err(|ended| ended.code()), Err(LIMIT));
    assert!(interrupt.run_with_step_limit(40_000, short_loops).is_ok());
}

#[test]
fn nobody_is_interrupted_without_a_watch() {
    let interrupt = Interrupt::default();
    interrupt.raise();
    assert_eq!(down(3), 3);
    assert!(interrupt.run_interruptible(|| ()).is_ok());
    assert_eq!(down(3), 3);
}
