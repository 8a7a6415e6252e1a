import type { Operations } from './operations.ts';
import type { operations } from './schema.d.ts';
import type { Answer, CallOptions, Connection, Expand, GiftParts, Sent } from './send.ts';

/** One page. `has_more`: more items follow in the direction of travel. `for await` goes on to all of them. */
export interface Page<Item> extends AsyncIterable<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor?: string;
}

type QueryOf<Id extends keyof operations> = WithDates<NonNullable<operations[Id]['parameters']['query']>>;
type WithDates<Query> = { [K in keyof Query]: Query[K] | (K extends TimeName ? Date : never) };
type TimeName = `${'created' | 'ordered' | 'delivered' | 'opened' | 'claimed'}_${'after' | 'before'}`;
/** Filters, of times also by a `Date`, and page parameters. `for await` fetches 100 at a time; `ending_before` walks towards newer items. */
export type OrderParams<Parts extends GiftParts = GiftParts> = Omit<QueryOf<'listOrders'>, 'expand'> & Expand<Parts>;
export type GiftParams<Parts extends GiftParts = GiftParts> = Omit<QueryOf<'listGifts'>, 'expand'> & Expand<Parts>;
export type EntryParams = QueryOf<'listBalanceEntries'>;
export type ContactParams = QueryOf<'listContacts'>;
export type PageParams = Pick<OrderParams, 'limit' | 'starting_after' | 'ending_before'>;

/**
 * `for await` reads all items and fetches pages on the way; `await` and `page()` return the first page. `timeoutMs` limits
 * each page. All throw `cursor_invalid`.
 */
export interface List<Item> extends AsyncIterable<Item>, PromiseLike<Answer<Page<Item>>> {
  page(): Promise<Answer<Page<Item>>>;
  /** Reads at most `limit` items. @throws TypeError without a limit */
  toArray(options: { limit: number }): Promise<Item[]>;
}

/** The operations that answer with a list, and the items of each. */
type ListId = {
  [Id in keyof Operations]: Operations[Id]['answer'] extends { has_more: boolean; data: unknown[] } ? Id : never;
}[keyof Operations];
type ItemOf<Id extends ListId> = Operations[Id]['answer']['data'][number];

/** @param key the member of an item that is its cursor @param walked parameters of the pages that `for await` fetches; lists that are one page have none */
export function listOf<Id extends ListId, Item extends ItemOf<Id>>(
  connection: Connection,
  of: { id: Id; key: string; walked?: object } & Pick<Sent<Id>, 'ids'>,
  params: PageParams = {},
  options?: CallOptions,
): List<Item> {
  const { id, ids, key, walked = { limit: 100 } } = of;
  const load = async (query: PageParams): Promise<Answer<Page<Item>>> => {
    const page: unknown = await connection.call(id, { ...(ids && { ids }), query }, options);
    return Object.defineProperty(page as Answer<Page<Item>>, Symbol.asyncIterator, {
      value: () => walk(query, page as Page<Item>),
    });
  };
  async function* walk(from: PageParams, first?: Page<Item>): AsyncGenerator<Item, void> {
    const direction = from.ending_before === undefined ? 'starting_after' : 'ending_before';
    for (let next = from, page = first; ; page = undefined) {
      const { data, has_more, next_cursor } = page ?? (await load(next));
      const items = direction === 'ending_before' ? [...data].reverse() : data;
      yield* items;
      const last = items.at(-1);
      const cursor = next_cursor ?? last?.[key as keyof Item];
      if (!has_more || cursor === undefined) return;
      next = { ...next, [direction]: cursor };
    }
  }
  const iterate = () => walk({ ...params, ...walked, ...(params.limit && { limit: params.limit }) });
  return {
    page: () => load(params),
    // biome-ignore lint/suspicious/noThenProperty: `await list` gives the first page, as in other clients.
    then: (onPage, onError) => load(params).then(onPage, onError),
    async toArray({ limit } = { limit: Number.NaN }) {
      if (!(limit >= 0)) throw new TypeError('toArray needs a limit: toArray({ limit: 1000 }).');
      const items: Item[] = [];
      if (limit > 0) for await (const item of iterate()) if (items.push(item) >= limit) break;
      return items;
    },
    [Symbol.asyncIterator]: iterate,
  };
}
