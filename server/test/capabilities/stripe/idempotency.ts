import { isDeepStrictEqual } from 'node:util';
import { type Json, StripeRefusal } from './account.ts';

export interface Answer {
  status: number;
  body: Json;
}

const KEPT_SECONDS = 24 * 3_600;

/** Stripe's keys: the same request gets the same answer for a day, another request is an error, and errors of the form are not kept. */
export class IdempotencyKeys {
  readonly #known = new Map<string, { operation: string; form: Json; answer: Answer; until: number }>();

  /** @throws StripeRefusal if the key belongs to another request */
  find(key: string, operation: string, form: Json, now: number): Answer | undefined {
    const known = this.#known.get(key);
    if (known === undefined || known.until <= now) return undefined;
    if (known.operation === operation && isDeepStrictEqual(known.form, form)) return known.answer;
    throw new StripeRefusal(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }

  remember(key: string, operation: string, form: Json, answer: Answer, now: number): void {
    this.#known.set(key, { operation, form, answer: structuredClone(answer), until: now + KEPT_SECONDS });
  }

  /** Stripe keeps its own failures too. */
  replace(key: string, answer: Answer): void {
    const known = this.#known.get(key);
    if (known !== undefined) known.answer = answer;
  }
}
