import type { Deps } from '../../core/deps.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { inOrganization } from '../../platform/database/in-organization.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import type { RequestOutcome, RequestSummary } from './portal-schema.ts';
import { summarizeRequest } from './present-request.ts';
import * as queries from './queries.ts';

/** Filters of the request log. */
export interface RequestSearch {
  outcome?: RequestOutcome | undefined;
  method?: string | undefined;
  /** The start of the path, such as `/v1/orders`. */
  pathPrefix?: string | undefined;
  /** UUID. */
  keyId?: string | undefined;
}

const MIN_FAILED = 400;
const statuses: Record<RequestOutcome, readonly [min: number | null, max: number | null]> = {
  succeeded: [null, MIN_FAILED - 1],
  failed: [MIN_FAILED, null],
  client_error: [MIN_FAILED, 499],
  server_error: [500, null],
};

/**
 * Returns a page of the request log, newest first. The search stops after 10,000 requests; `searched_to` is the time that
 * it reached, and the next cursor continues there. A cursor stays valid after its request is deleted.
 *
 * @throws BestowError `cursor_invalid`
 */
export function listRequests(
  { database }: Pick<Deps, 'database'>,
  scope: Scope,
  request: RequestSearch & PageRequest,
): Promise<SearchPage<RequestSummary>> {
  const owner = [scope.organizationId, scope.environment] as const;
  const filter = filterOf(request);
  const source = (filter[0] ?? 0) >= MIN_FAILED ? queries.searches.failed : queries.searches.all;
  return inOrganization(database, scope.organizationId, async (client) => {
    await queries.takeInOrder(client, []);
    const page = await readSearchPage<RequestSummary>(request, {
      prefix: 'req',
      idOf: ({ request_id }) => request_id,
      exists: async () => [true],
      read: (direction, { above, below }, limit) =>
        source.search[direction](client, [...owner, above, below, limit, ...filter]),
      scan: filter.some((value) => value !== null)
        ? (direction, { above, below }) => source.scan[direction](client, [...owner, above, below])
        : undefined,
    });
    return { ...page, rows: page.rows.map(summarizeRequest) };
  });
}

function filterOf({ outcome, method, pathPrefix, keyId }: RequestSearch): queries.RequestFilterValues {
  const [min, max] = outcome === undefined ? [null, null] : statuses[outcome];
  return [min, max, method?.toUpperCase() ?? null, pathPrefix ?? null, keyId ?? null];
}
