import type { Expected } from './model.ts';

export interface ListQuery {
  limit: string | undefined;
  starting_after: string | undefined;
  ending_before: string | undefined;
}

/** Returns the expected page of a list. @param items all items, newest first */
export function page(items: { id: string; shown: unknown }[], query: ListQuery): Expected {
  const invalid = (param: string): Expected => ({ code: 'parameter_invalid', param });
  const { limit = '10', starting_after, ending_before } = query;
  if (!/^[1-9][0-9]*$/.test(limit) || Number(limit) > 100) return invalid('limit');
  for (const param of ['starting_after', 'ending_before'] as const)
    if (query[param] !== undefined && !/^[A-Za-z0-9_-]+$/.test(query[param])) return invalid(param);
  if (starting_after !== undefined && ending_before !== undefined) return invalid('ending_before');
  const cursor = starting_after ?? ending_before;
  const place = items.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && place === -1)
    return { code: 'cursor_invalid', param: starting_after === undefined ? 'ending_before' : 'starting_after' };
  const count = Number(limit);
  const from = ending_before === undefined ? place + 1 : Math.max(0, place - count);
  const to = ending_before === undefined ? from + count : place;
  const hasMore = ending_before === undefined ? to < items.length : from > 0;
  return {
    status: 200,
    body: { object: 'list', data: items.slice(from, to).map(({ shown }) => shown), has_more: hasMore },
  };
}
