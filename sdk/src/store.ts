import type { OrderInput } from './bodies.ts';
import { ApiError, AuthenticationError, type BestowError, StoreError } from './errors.ts';
import { isIdempotencyKey } from './options.ts';
import type { Order } from './resources.ts';

/** An order without a final answer. */
export interface KeptOrder {
  idempotencyKey: string;
  /** JSON, sent again as it is. */
  body: string;
}

/** Keeps orders over a crash of the program. Use one store for each API key: `resume` sends with the client’s own. */
export interface Store {
  /** Stores the order durably before it is sent. If this throws, nothing is sent. */
  keep(idempotencyKey: string, body: string): Promise<unknown>;
  /** Removes the order: it has a final answer. It may have been removed before. */
  forget(idempotencyKey: string): Promise<unknown>;
  /** The kept orders. A generator may throw an error about others last. */
  kept(): AsyncIterable<KeptOrder> | Promise<Iterable<KeptOrder>>;
}

/** A kept order and the result of sending it again. */
export type Resumed<Body = Order> =
  | { idempotencyKey: string; body: OrderInput; order: Body; error: undefined }
  | {
      /** Undefined if the store could not read orders; then `error` is a StoreError. */
      idempotencyKey: string | undefined;
      body: OrderInput | undefined;
      order: undefined;
      /** The store still keeps the order if this is an AuthenticationError, `outcomeUnknown`, or no final answer. */
      error: BestowError;
    };

/** The orders that can be read, and the error about the others. */
export async function readKept(store: Store): Promise<{ kept: KeptOrder[]; failure: StoreError | undefined }> {
  const kept: KeptOrder[] = [];
  const failures: string[] = [];
  let failure: unknown;
  try {
    for await (const order of await store.kept())
      if (isIdempotencyKey(order.idempotencyKey)) kept.push(order);
      else
        failures.push(
          `No request can carry the kept key ${JSON.stringify(order.idempotencyKey)}. See whether its order was placed, then forget it.`,
        );
  } catch (cause) {
    failure = cause;
    failures.push(`${Object(cause).message}`);
  }
  return { kept, failure: failures.length > 0 ? unsent(failures.join(' '), undefined, failure) : undefined };
}

const unsent = (message: string, idempotencyKey: string | undefined, cause: unknown) => {
  const facts = { idempotencyKey, attempts: 0, status: undefined, headers: undefined };
  return new StoreError(message, { ...facts, outcomeUnknown: idempotencyKey === undefined }, cause);
};

/** @throws StoreError if the order cannot be kept */
export async function keep(store: Store, idempotencyKey: string, body: string): Promise<void> {
  try {
    await store.keep(idempotencyKey, body);
  } catch (cause) {
    throw unsent(
      `The order was not sent, because it could not be kept. ${Object(cause).message}`,
      idempotencyKey,
      cause,
    );
  }
}

/**
 * Sends an order, and forgets it after a final answer. A wrong API key says nothing about the attempts of an earlier run,
 * so a resumed order stays.
 */
export async function sendKept<Answer>(
  send: () => Promise<Answer>,
  forget: () => Promise<unknown>,
  isResumed: boolean,
): Promise<Answer> {
  try {
    const answer = await send();
    await forget();
    return answer;
  } catch (error) {
    const isOther = isResumed && error instanceof AuthenticationError;
    if (error instanceof ApiError && !error.outcomeUnknown && !error.retryable && !isOther) await forget();
    throw error;
  }
}
