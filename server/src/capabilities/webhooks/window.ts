/** Up to where an endpoint's events were read and finished. */
export class Window {
  /** Every event up to it was read. */
  readUpTo: number;
  /** New events that were read but not finished, in order. */
  private readonly open = new Set<number>();
  /** Read events of the chosen types after the cursor, in order. */
  private matched: number[] = [];
  private lastMatched: number | null;

  constructor(cursor: number, lastMatched: number | null) {
    this.readUpTo = cursor;
    this.lastMatched = lastMatched;
  }

  /** Notes an event of the chosen types; returns the one before it. */
  match(sequence: number, isOpen: boolean): number | null {
    const previous = this.matched.at(-1) ?? this.lastMatched;
    this.matched.push(sequence);
    if (isOpen) this.open.add(sequence);
    return previous;
  }

  finish(sequence: number): void {
    this.open.delete(sequence);
  }

  /** Forgets new events that were not started, the first of which is `sequence`: they will be read again. */
  giveBack(sequences: readonly number[]): void {
    const [first] = sequences;
    if (first === undefined) return;
    for (const sequence of sequences) this.open.delete(sequence);
    this.readUpTo = Math.min(this.readUpTo, first - 1);
    this.matched = this.matched.filter((sequence) => sequence < first);
  }

  /** Moves the cursor to before the first open event. */
  advance(): { cursor_sequence: number; last_matched: number | null } {
    const [first] = this.open;
    const cursor = Math.min(first === undefined ? this.readUpTo : first - 1, this.readUpTo);
    let finished = 0;
    while (finished < this.matched.length && (this.matched[finished] as number) <= cursor) finished += 1;
    this.lastMatched = this.matched[finished - 1] ?? this.lastMatched;
    this.matched = this.matched.slice(finished);
    return { cursor_sequence: cursor, last_matched: this.lastMatched };
  }
}
