/** A separate space of advisory locks; idempotency keys use another one. */
export const SANDBOX_LOCKS = 1;
