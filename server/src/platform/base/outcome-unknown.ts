/**
 * Thrown if the connection was lost during a commit and the outcome is not known in time. An error would mean that nothing
 * happened, so the client's connection is closed without an answer (docs/decisions.md#retry).
 */
export class OutcomeUnknown extends Error {
  /** True if the sandbox simulates a lost answer. */
  readonly isSteered: boolean;

  constructor(message: string, { cause, isSteered = false }: { cause?: unknown; isSteered?: boolean } = {}) {
    super(message, { cause });
    this.isSteered = isSteered;
  }
}
