/**
 * Thrown where the connection was lost while work was being committed, and what became of it cannot be found out in time.
 * The caller must not be told of an error, which would mean that nothing happened: the connection is closed without an
 * answer (docs/decisions.md#retry).
 */
export class OutcomeUnknown extends Error {
  /** True where nothing went wrong: the sandbox rehearses a lost answer. */
  readonly isSteered: boolean;

  constructor(message: string, { cause, isSteered = false }: { cause?: unknown; isSteered?: boolean } = {}) {
    super(message, { cause });
    this.isSteered = isSteered;
  }
}
