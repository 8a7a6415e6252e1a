/** An error that the operator can fix: one sentence on standard error and exit code 1, no stack trace. */
export class OperatorError extends Error {}

/** Wrong arguments that only the command itself can detect; exit code 2. */
export class UsageError extends OperatorError {}

/** The operator ended a question with Ctrl-C or Ctrl-D; exit code 130. */
export class InterruptedError extends OperatorError {}
