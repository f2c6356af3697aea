//! The session of the prompt, which works on a thread of its own: after Ctrl-C the prompt is back at once, and what was
//! interrupted ends and frees its memory while the user types.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pcore::secrets::Secrets;

use super::{Console, EntryOutcome};

const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Most evaluations end within this time after Ctrl-C, and say so themselves.
const GRACE: Duration = Duration::from_millis(5);

/// The maximum number of pieces of output in the queue; the evaluation waits while it is full.
const QUEUE: usize = 64;

/// The session, or the thread that still has it.
pub(super) struct Worker {
    console: Option<Box<Console>>,
    /// The evaluation that has the session: it was interrupted, and is about to end.
    ending: Option<JoinHandle<(Box<Console>, EntryOutcome)>>,
    /// What the session knows of secrets, also while it is away.
    pub(super) secrets: Secrets,
    pressed: Pressed,
}

/// When Ctrl-C was pressed since the entry was read.
pub(super) type Pressed = Arc<Mutex<Option<Instant>>>;

impl Worker {
    /// The session of a prompt whose handler of Ctrl-C sets `pressed`.
    pub(super) fn new(console: Console, pressed: Pressed) -> Worker {
        let secrets = console.secrets().clone();
        Worker { console: Some(Box::new(console)), ending: None, secrets, pressed }
    }

    /// The session, unless an interrupted evaluation still has it.
    pub(super) fn free(&self) -> Option<&Console> {
        self.console.as_deref()
    }

    pub(super) fn free_mut(&mut self) -> Option<&mut Console> {
        self.console.as_deref_mut()
    }

    pub(super) fn clear_interrupt(&self) {
        *locked(&self.pressed) = None;
        if let Some(console) = self.free() {
            console.interrupt.clear();
        }
    }

    pub(super) fn pressed(&self) -> Option<Instant> {
        *locked(&self.pressed)
    }

    /// Waits for an interrupted evaluation, until it has ended or Ctrl-C is pressed again: then false.
    pub(super) fn wait(&self) -> bool {
        while self.ending.as_ref().is_some_and(|thread| !thread.is_finished()) {
            if self.pressed().is_some() {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    pub(super) fn console(&mut self) -> &mut Console {
        let console = self.take();
        self.console.insert(console)
    }

    fn take(&mut self) -> Box<Console> {
        match (self.console.take(), self.ending.take()) {
            (Some(console), _) => console,
            (None, Some(thread)) => {
                let console = joined(thread).0;
                console.interrupt.clear();
                // Pressed again while this waited: that is for the next evaluation.
                if self.pressed().is_some() {
                    console.interrupt.raise();
                }
                console
            }
            (None, None) => unreachable!("an entry gives it back"),
        }
    }

    /// Runs `work` on the worker. Its output goes to `listen` on this thread, until that breaks. `None` if it was
    /// interrupted and has not ended yet.
    pub(super) fn run<M: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Console, &mut (dyn FnMut(M) + Send)) -> EntryOutcome + Send + 'static,
        mut listen: impl FnMut(M) -> ControlFlow<()>,
    ) -> Option<EntryOutcome> {
        let mut console = self.take();
        let (said, heard) = sync_channel(QUEUE);
        let thread = thread::spawn(move || {
            // Nobody hears what is said after `listen` broke.
            let outcome = work(&mut console, &mut |message| drop(said.send(message)));
            (console, outcome)
        });
        let mut interrupted_at = None;
        loop {
            match heard.recv_timeout(LOOK_EVERY) {
                Ok(message) => {
                    if listen(message).is_break() {
                        break;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if self.pressed().is_some() && interrupted_at.get_or_insert_with(Instant::now).elapsed() > GRACE {
                self.ending = Some(thread);
                return None;
            }
        }
        drop(heard);
        let (console, outcome) = joined(thread);
        self.console = Some(console);
        Some(outcome)
    }
}

/// Locks a mutex that handlers and threads share, even after a panic: its content is consistent at any time.
pub(super) fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn joined<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|defect| resume_unwind(defect))
}
