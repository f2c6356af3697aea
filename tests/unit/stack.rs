//! Tests of `stack`, of which it is a module.

use super::with_room;
use crate::interrupt;

#[test]
fn a_destructor_on_the_way_out_ends_on_any_segment() {
    struct Deep(u32);

    impl Drop for Deep {
        fn drop(&mut self) {
            let levels = self.0;
            super::drop_with_enough_stack(move || {
                interrupt::poll();
                drop((levels > 0).then(|| Deep(levels - 1)));
            });
        }
    }

    let interrupt = interrupt::Interrupt::default();
    interrupt.raise();
    let ended = interrupt.run_interruptible(|| {
        let _deep = Deep(1_000_000);
        interrupt::poll();
    });
    assert!(ended.is_err());
}

#[test]
fn what_nests_too_deeply_ends_where_it_is_watched() {
    fn down(levels: u32) -> u32 {
        with_room(|| if levels == 0 { 0 } else { std::hint::black_box(down(levels - 1)) + 1 })
    }
    let ended = interrupt::Interrupt::default().run_interruptible(|| down(10_000_000)).unwrap_err();
    assert_eq!(ended.to_string(), "the evaluation nests too deeply");
}

#[test]
fn a_million_levels_fit() {
    fn down(levels: u32) -> u32 {
        if levels == 0 { 0 } else { with_room(|| down(levels - 1)) + 1 }
    }
    assert_eq!(down(1_000_000), 1_000_000);
}
