import type { Violation } from '../checker/violation.ts';

/** What a fault gets from the runner. */
export interface FaultContext {
  /** How often to inject it. */
  count: number;
  seed: number;
  /** Numbers from 0 to 1 that follow from the seed. */
  random: () => number;
  /** Tells how far it is, on standard error. */
  say(text: string): void;
  /** How long a fault lasts that lasts as long as it is told to. */
  minutes?: number;
  /** For a test: what takes longer than seconds is left out. */
  isQuick?: boolean;
}

export interface FaultResult {
  /** How often it was injected. */
  count: number;
  /** Invariants that did not hold. */
  violations: Violation[];
  /** What else the fault's row promises and was not kept, in a sentence each: «exit took 11.2 s». */
  failures: string[];
  /** How long each injection was felt, where the row speaks of it. */
  recoveriesMs: number[];
  /** Figures worth knowing, in a sentence each. */
  notes: string[];
}

/** A row of the table of faults: it sets up its own installation, injects, checks, and leaves nothing behind. */
export interface Fault {
  name: string;
  /** What it does and what must hold, in a sentence. */
  summary: string;
  /** How often a full run injects it. */
  issueCount: number;
  /** How often a run injects it that nobody waits an hour for. */
  shortCount: number;
  needsRoot?: boolean;
  /** False: only where it is named or a full run is asked for (the soak, which takes an hour). */
  runsByDefault?: boolean;
  run(context: FaultContext): Promise<FaultResult>;
}
