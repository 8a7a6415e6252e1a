import { Type } from 'typebox';
import type { AddRoute } from '../../platform/api/operation.ts';
import { refTo } from '../../platform/api/schema.ts';
import { callerOf } from '../../platform/authentication/caller.ts';
import { exportList, wantsCsv } from '../../platform/paging/export-list.ts';
import { choice, createdQuery, readChoice, readCreated } from '../../platform/paging/list-filters.ts';
import { PageQuery, parsePageRequest } from '../../platform/paging/page-query.ts';
import type { Deps } from '../deps.ts';
import { entriesAsCsv, entryKinds } from './entries-as-csv.ts';
import { listBalanceEntries, presentBalanceEntry, retrieveBalance } from './read-balance.ts';
import { BalanceEntryList, BalanceSummary } from './schema.ts';

// A serialized time; the type of an answer is a `Date`.
const entryExample = {
  entry_id: 'led_01k0fxw4mze6hv3tqx4d5s8r2p',
  kind: 'order',
  amount: -7500,
  balance_after: 92500,
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  created_at: '2026-11-21T12:00:00.000Z',
};

export function balanceRoutes(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/balance',
      operationId: 'retrieveBalance',
      tag: 'Balance',
      summary: 'Retrieve the balance',
      description: 'What the organization can spend in this environment, and the latest change.',
      access: 'key',
      response: refTo(BalanceSummary),
      answers: {
        200: {
          description: 'The balance.',
          example: { object: 'balance', available: 92500, currency: 'USD', last_entry: entryExample },
        },
      },
      errors: [],
    },
    ({ request }) => retrieveBalance(deps, callerOf(request)),
  );

  addEntriesRoute(addRoute, deps);
}

function addEntriesRoute(addRoute: AddRoute, deps: Deps): void {
  addRoute(
    {
      method: 'GET',
      path: '/v1/balance/entries',
      operationId: 'listBalanceEntries',
      tag: 'Balance',
      summary: 'List changes of the balance',
      description:
        'All entries of the ledger in this environment, most recent first, each with the balance after it. With `Accept: text/csv` the answer is every matching entry as CSV.',
      hasCsv: true,
      access: 'key',
      isCompressed: true,
      query: Type.Object({
        ...PageQuery.properties,
        ...createdQuery,
        kind: choice(entryKinds, 'Only entries of this kind.'),
      }),
      response: refTo(BalanceEntryList),
      answers: {
        200: { description: 'A page of entries.', example: { object: 'list', data: [entryExample], has_more: false } },
      },
      errors: ['parameter_invalid', 'cursor_invalid'],
    },
    async ({ request, reply }) => {
      const caller = callerOf(request);
      const query = request.query as Record<string, unknown>;
      const page = parsePageRequest(query);
      const range = readCreated(query);
      const kind = readChoice(query, 'kind', entryKinds);
      if (wantsCsv(request)) return exportList(deps, reply, entriesAsCsv(deps, caller, query));
      const { rows, hasMore } = await listBalanceEntries(deps, caller, { ...page, ...range, kind });
      return { object: 'list' as const, data: rows.map(presentBalanceEntry), has_more: hasMore };
    },
  );
}
