import { refuseUnknown } from './options.ts';
import type { operations } from './schema.d.ts';
import type { Answer, CallOptions, Send } from './send.ts';

/** One page. `has_more`: more items follow in the direction of travel. `for await` goes on to all of them. */
export interface Page<Item> extends AsyncIterable<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  next_cursor?: string;
}

type QueryOf<Name extends 'listOrders' | 'listGifts' | 'listBalanceEntries'> = NonNullable<
  operations[Name]['parameters']['query']
>;
/** Filters, and page parameters. `for await` fetches 100 at a time; `ending_before` walks towards newer items. */
export type OrderParams = QueryOf<'listOrders'>;
export type GiftParams = QueryOf<'listGifts'>;
export type EntryParams = QueryOf<'listBalanceEntries'>;
export type PageParams = Pick<OrderParams, 'limit' | 'starting_after' | 'ending_before'>;

const PAGE = ['limit', 'starting_after', 'ending_before'] as const;
const FILTERS = [
  'created_after',
  'created_before',
  'delivery_method',
  'recipient',
  'category',
  'external_id',
  'metadata',
  'status',
] as const;
export const ORDER_PARAMS = [...PAGE, ...FILTERS] as const satisfies (keyof OrderParams)[];
export const GIFT_PARAMS = [...PAGE, ...FILTERS, 'order_id'] as const satisfies (keyof GiftParams)[];
export const ENTRY_PARAMS = [
  ...PAGE,
  'created_after',
  'created_before',
  'kind',
] as const satisfies (keyof EntryParams)[];

/**
 * `for await` reads all items and fetches pages on the way; `await` and `page()` return the first page. `timeoutMs` limits
 * each page. All throw `cursor_invalid`.
 */
export interface List<Item> extends AsyncIterable<Item>, PromiseLike<Answer<Page<Item>>> {
  page(): Promise<Answer<Page<Item>>>;
  /** Reads at most `limit` items. @throws TypeError without a limit */
  toArray(options: { limit: number }): Promise<Item[]>;
}

export interface ListSource<Item> {
  send: Send;
  path: string;
  idOf: (item: Item) => string;
  /** The names of the parameters. */
  known: readonly string[];
}

export function listOf<Item>(source: ListSource<Item>, params: PageParams = {}, options?: CallOptions): List<Item> {
  const { send, path, idOf, known } = source;
  const load = async (some: PageParams): Promise<Answer<Page<Item>>> => {
    refuseUnknown('This list', 'parameter', some, known);
    const query = Object.entries(some).flatMap(([name, value]): string[][] => {
      if (value === undefined) return [];
      if (typeof value !== 'object') return [[name, `${value}`]];
      return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, `${one}`]);
    });
    const page = await send<Page<Item>>('list', 'GET', `${path}?${new URLSearchParams(query)}`, options);
    return Object.defineProperty(page, Symbol.asyncIterator, { value: () => walk(some, page) });
  };
  async function* walk(from: PageParams, first?: Page<Item>): AsyncGenerator<Item, void> {
    const direction = from.ending_before === undefined ? 'starting_after' : 'ending_before';
    for (let next = from, page = first; ; page = undefined) {
      const { data, has_more, next_cursor } = page ?? (await load(next));
      const items = direction === 'ending_before' ? [...data].reverse() : data;
      yield* items;
      const last = items.at(-1);
      const cursor = next_cursor ?? (last && idOf(last));
      if (!has_more || cursor === undefined) return;
      next = { ...next, [direction]: cursor };
    }
  }
  const iterate = () => walk({ ...params, limit: params.limit ?? 100 });
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
