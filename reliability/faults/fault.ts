import type { Violation } from '../checker/violation.ts';

export interface FaultContext {
  /** How often to inject. */
  count: number;
  /** Numbers from 0 to 1 that follow from the seed. */
  random: () => number;
  /** Reports progress. */
  say(text: string): void;
  /** How long a soak lasts. */
  minutes?: number;
  /** Leaves out what takes longer than seconds, and promises in seconds, because other tests slow the machine down. */
  isQuick?: boolean;
}

export interface FaultResult {
  /** How often it was injected. */
  count: number;
  violations: Violation[];
  /** Other promises of the fault that were broken, a sentence each. */
  failures: string[];
  /** How long each injection was felt. */
  recoveriesMs: number[];
  /** Figures, a sentence each. */
  notes: string[];
}

/** A fault sets up its own installation, injects, checks, and leaves nothing behind. */
export interface Fault {
  name: string;
  /** What it does and what must hold. */
  summary: string;
  /** How often a full run injects it. */
  fullCount: number;
  /** How often a short run injects it. */
  shortCount: number;
  needsRoot?: boolean;
  /** False if it runs only by name or in a full run. */
  runsByDefault?: boolean;
  run(context: FaultContext): Promise<FaultResult>;
}
