interface StateRow {
  /** How many new events the run queues at once. */
  takes: number;
  /** No new event is left, or the probe is queued or not due. */
  enough: RunState;
  /** The endpoint refuses so often that it gets only probes. */
  failing: RunState;
  /** An endpoint that got only probes has accepted an event. */
  recovered: RunState;
  /** The endpoint is gone, asked for a pause or must not get what follows; or the run has no time, lease or database. */
  ended: RunState;
}

export type RunState = 'reading' | 'probing' | 'draining' | 'waiting' | 'over';
export type RunEvent = Exclude<keyof StateRow, 'takes'>;

/**
 * The states of a run: how many new events it takes, and which state follows what happens. The run pushes what is queued;
 * `failing` gives the new events in the queue back, and `ended` all of them.
 */
export const runStates: Record<RunState, StateRow> = {
  reading: { takes: Infinity, enough: 'draining', failing: 'draining', recovered: 'reading', ended: 'over' },
  probing: { takes: 1, enough: 'draining', failing: 'draining', recovered: 'reading', ended: 'over' },
  draining: { takes: 0, enough: 'draining', failing: 'draining', recovered: 'reading', ended: 'over' },
  // An ordered endpoint whose next event waits for its retry.
  waiting: { takes: 0, enough: 'waiting', failing: 'waiting', recovered: 'waiting', ended: 'over' },
  over: { takes: 0, enough: 'over', failing: 'over', recovered: 'over', ended: 'over' },
};
