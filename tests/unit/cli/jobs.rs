//! Tests of `cli::jobs`, of which it is a module.

use super::*;

#[test]
fn outcomes_come_in_order_whoever_is_done_first() {
    for threads in [1, 2, 7] {
        let mut outcomes = Vec::new();
        let worker = |share: &WorkerHandle<usize>| {
            share.process_items(|at| {
                thread::sleep(std::time::Duration::from_micros(u64::from(at % 3 == 0) * 300));
                at * at
            });
        };
        let mut each = |at: usize, square: usize| {
            outcomes.push((at, square));
            Ok(())
        };
        process_in_order(threads, 40, &worker, &mut each).unwrap();
        assert_eq!(outcomes, (0..40).map(|at| (at, at * at)).collect::<Vec<_>>());
    }
}

#[test]
fn an_error_ends_the_work() {
    let worker = |share: &WorkerHandle<()>| share.process_items(|_| ());
    let mut each = |at: usize, ()| if at == 3 { Err(io::Error::other("full")) } else { Ok(()) };
    assert_eq!(process_in_order(2, 1_000_000, &worker, &mut each).unwrap_err().to_string(), "full");
}
