/** Something that the operator has to put right: one sentence on standard error and exit code 1, no stack trace. */
export class OperatorError extends Error {}
