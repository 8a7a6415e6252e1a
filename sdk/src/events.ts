import { ApiError } from './errors.ts';
import type { BestowEvent } from './event-types.ts';
import { sleep } from './limit.ts';
import { refuseUnknown } from './options.ts';
import type { EventPage, GiftPart } from './resources.ts';
import type { operations } from './schema.d.ts';
import type { Answer, CallOptions, Connection } from './send.ts';

type Query = NonNullable<operations['listEvents']['parameters']['query']>;
export type EventParams = Omit<Query, 'types' | 'expand'> & {
  types?: readonly string[] | undefined;
  /** `resource`, and with it the parts of its gifts: `['resource', 'history']`. */
  expand?: string | readonly ['resource', ...GiftPart[]] | undefined;
};
export type StreamParams = Pick<EventParams, 'after' | 'types'> & {
  /**
   * Called if events after `after` were deleted, or undone by a restore, or `after` is of another environment; the stream then goes on from the
   * first event held. Without it the stream throws InvalidRequestError `cursor_invalid`: it never skips events unseen.
   */
  onGap?: ((gap: { after: number | undefined; firstSequence: number }) => void | Promise<void>) | undefined;
};

const WAIT_SECONDS = 30;
/** For the answer after the wait. */
const ANSWER_MS = 15_000;
/** A busy service may answer without the wait. */
const PAUSE_MS = 1_000;
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY, maxRetries: Number.POSITIVE_INFINITY };

/**
 * What happened, in the order of commits and without holes. `list` reads a page. `stream` reads for ever: it waits for new
 * events, survives restarts and lost connections, and ends with its signal. Store `sequence` after each event, and begin
 * there again (`after`).
 */
export function eventsOf(connection: Connection) {
  const list = async (params: EventParams = {}, options?: CallOptions): Promise<Answer<EventPage>> => {
    const tryTimeoutMs = 1000 * (params.wait ?? 0) + ANSWER_MS;
    return (await connection.call('listEvents', { query: params, tryTimeoutMs }, options)) as Answer<EventPage>;
  };

  async function* stream(
    { after, types, onGap, ...others }: StreamParams = {},
    { signal, headers }: Pick<CallOptions, 'signal' | 'headers'> = {},
  ): AsyncGenerator<BestowEvent, never> {
    refuseUnknown('A stream', 'parameter', others, '');
    const options = { ...ENDLESS, signal, headers };
    const pause = connection.options.pause ?? sleep;
    const stop = signal ?? new AbortController().signal;
    for (let from = after; ; ) {
      const startMs = performance.now();
      const query = { after: from, types, limit: 1000, wait: WAIT_SECONDS };
      const page = await list(query, options).catch((error: unknown) => {
        if (onGap === undefined || !(error instanceof ApiError) || error.code !== 'cursor_invalid') throw error;
      });
      if (page === undefined) {
        const { first_sequence: firstSequence } = await list({ limit: 1 }, options);
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

  return { list, stream };
}
