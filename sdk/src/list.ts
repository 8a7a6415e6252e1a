import type { operations } from './schema.d.ts';
import type { CallOptions, Send } from './send.ts';
/** One page. `has_more`: more items follow in the direction of travel. */
export type Page<Item> = { object: 'list'; data: Item[]; has_more: boolean };

/** Page parameters. `for await` fetches 100 at a time; `ending_before` walks towards newer items. */
export type PageParams = NonNullable<operations['listOrders']['parameters']['query']>;

/** Fetches pages during `for await`; `page()` returns only the first page. Both throw `cursor_invalid`. */
export type List<Item> = AsyncIterable<Item> & { page(): Promise<Page<Item>> };

export function listOf<Item>(
  send: Send,
  path: string,
  idOf: (item: Item) => string,
  params: PageParams = {},
  options?: CallOptions,
): List<Item> {
  const load = (some: PageParams) => {
    const query = Object.entries(some).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
    return send<Page<Item>>('list', 'GET', `${path}?${new URLSearchParams(query)}`, options);
  };
  return {
    page: () => load(params),
    async *[Symbol.asyncIterator]() {
      const direction = params.ending_before === undefined ? 'starting_after' : 'ending_before';
      for (let next = { ...params, limit: params.limit ?? 100 }; ; ) {
        const { data, has_more } = await load(next);
        if (direction === 'ending_before') data.reverse();
        yield* data;
        const last = data.at(-1);
        if (!has_more || last === undefined) return;
        next = { ...next, [direction]: idOf(last) };
      }
    },
  };
}
