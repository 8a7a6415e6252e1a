import { ApiError } from './errors.ts';
import { refuseUnknown } from './options.ts';
import type { BestowEvent, EventPage } from './resources.ts';
import type { operations } from './schema.d.ts';
import type { CallOptions, Send } from './send.ts';

type Query = NonNullable<operations['listEvents']['parameters']['query']>;
export type EventParams = {
  [Name in keyof Query]: Name extends 'types' ? readonly string[] | undefined : Query[Name] | undefined;
};
export type StreamParams = Pick<EventParams, 'after' | 'types'> & {
  /**
   * Called if events after `after` were deleted, or undone by a restore, or `after` is of another environment; the stream then goes on from the
   * first event held. Without it the stream throws InvalidRequestError `cursor_invalid`: it never skips events unseen.
   */
  onGap?: ((gap: { after: number | undefined; firstSequence: number }) => void | Promise<void>) | undefined;
};

export const EVENT_PARAMS = ['after', 'limit', 'types', 'wait', 'expand'] as const satisfies (keyof EventParams)[];
const WAIT_SECONDS = 30;
/** For the answer after the wait. */
const ANSWER_MS = 15_000;
/** A busy service may answer without the wait. */
const PAUSE_MS = 1_000;

export function eventsOf(send: Send, pause: (ms: number, signal: AbortSignal) => Promise<void>) {
  const read = async (
    params: EventParams,
    options: CallOptions | undefined,
    isEndless: boolean,
  ): Promise<EventPage> => {
    refuseUnknown('This list', 'parameter', params, EVENT_PARAMS);
    const query = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
    const tryTimeoutMs = 1000 * (params.wait ?? 0) + ANSWER_MS;
    const request = { tryTimeoutMs, ...(isEndless ? { maxRetries: Number.POSITIVE_INFINITY } : {}) };
    return await send('list', 'GET', `/v1/events?${new URLSearchParams(query)}`, options, request);
  };

  async function* stream(
    { after, types, onGap, ...others }: StreamParams = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): AsyncGenerator<BestowEvent, never> {
    refuseUnknown('A stream', 'parameter', others, []);
    const options = { signal, timeoutMs: Number.POSITIVE_INFINITY };
    const stop = signal ?? new AbortController().signal;
    for (let from = after; ; ) {
      const startMs = performance.now();
      const query = { after: from, types, limit: 1000, wait: WAIT_SECONDS };
      const page = await read(query, options, true).catch((error: unknown) => {
        if (onGap === undefined || !(error instanceof ApiError) || error.code !== 'cursor_invalid') throw error;
      });
      if (page === undefined) {
        const { first_sequence: firstSequence } = await read({ limit: 1 }, options, true);
        await onGap?.({ after: from, firstSequence });
        from = firstSequence - 1;
      } else {
        yield* page.data;
        from = page.next_after;
        const isAtEnd = page.data.length === 0 && !page.has_more;
        if (isAtEnd && performance.now() - startMs < PAUSE_MS) await pause(PAUSE_MS, stop);
      }
    }
  }

  const list = (params: EventParams = {}, options?: CallOptions): Promise<EventPage> => read(params, options, false);
  return { list, stream };
}
