import type { Environment } from '../../platform/base/environment.ts';
import { statement, statementOfNone, statementOnEachShard } from '../../platform/database/statement.ts';
import { inBothDirections, type OwnedRange, type ScannedIds } from '../../platform/paging/read-page.ts';
import type { LoggedRequest, RequestSummary } from './portal-schema.ts';

type Owner = [organizationId: string, environment: Environment];

/** A row to be written. */
export interface NewRequestRow extends Omit<LoggedRequest, 'created_at'> {
  organization_id: string;
  environment: Environment;
  /** ISO 8601. */
  created_at: string;
}

/** A null disables its filter. */
export type RequestFilterValues = [
  minStatus: number | null,
  maxStatus: number | null,
  method: string | null,
  pathPrefix: string | null,
  keyId: string | null,
];

/** The maximum number of rows that one search reads. 10,000 took 30 to 50 ms from memory. */
export const MAX_SCANNED = 10_000;

const summaryColumns = 'request_id, created_at, method, path, tool, status, error_code, key_id, duration_ms';
const detailColumns = 'error_message, error_param, client, client_address, body, body_bytes, answer, answer_bytes';

/**
 * Makes searches read an index in its order and stop early, until the transaction ends. The generic plan of a prepared
 * statement would fetch and sort all rows of the organization.
 */
export const takeInOrder = statementOfNone<[], { set_config: string }>(
  'requests.take_in_order',
  `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
);

const inRange = 'organization_id = $1 and environment = $2 and request_id > $3 and request_id < $4';

/** Statements that look at the next rows of an index until the page is full. */
const searchesOf = (name: string, condition: string) => ({
  search: inBothDirections(`requests.search${name}`, (statementName, order) =>
    statement<[...OwnedRange, limit: number, ...RequestFilterValues], RequestSummary>(
      statementName,
      `select * from (
       select ${summaryColumns} from request_log where ${inRange} and ${condition}
       order by request_id ${order} limit ${MAX_SCANNED}
     ) scanned
     where ($6::smallint is null or status >= $6) and ($7::smallint is null or status <= $7)
       and ($8::text is null or method = $8)
       and ($9::text is null or starts_with(path, $9))
       and ($10::uuid is null or key_id = $10)
     order by request_id ${order} limit $5`,
    ),
  ),
  /** The first and the last id that the search looks at. */
  scan: inBothDirections(`requests.scan${name}`, (statementName, order) => {
    const ids = `select request_id from request_log where ${inRange} and ${condition} order by request_id ${order}`;
    return statement<OwnedRange, ScannedIds>(
      statementName,
      `select (${ids} limit 1) as first_id, (${ids} offset ${MAX_SCANNED - 1} limit 1) as last_id`,
    );
  }),
});

export const searches = {
  all: searchesOf('', 'true'),
  /** Uses the index of failed requests, which is small. */
  failed: searchesOf('_failed', 'status >= 400'),
};

export const selectRequest = statement<[...Owner, requestId: string], LoggedRequest>(
  'requests.select',
  `select ${summaryColumns}, ${detailColumns} from request_log
   where organization_id = $1 and environment = $2 and request_id = $3`,
);

export const selectRequestByTime = statementOnEachShard<
  [requestId: string, from: Date, to: Date],
  LoggedRequest & { organization_id: string; environment: Environment }
>(
  'requests.select_by_time',
  'the operator gives only the request’s id',
  `select organization_id, environment, ${summaryColumns}, ${detailColumns} from request_log
   where request_id = $1 and created_at between $2 and $3`,
);

/** Skips rows that exist: after a lost connection, the rows may already be written. */
export const insertRequests = statementOnEachShard<[rows: string]>(
  'requests.insert',
  'the requests of a second belong to many organizations; each shard takes its own',
  `insert into request_log (organization_id, environment, ${summaryColumns}, ${detailColumns})
   select organization_id, environment, ${summaryColumns}, ${detailColumns}
   from json_to_recordset($1) as r (
     organization_id uuid, environment environment, request_id uuid, created_at timestamptz, method text, path text, tool text, client text,
     status smallint, error_code text, key_id uuid, duration_ms real, error_message text, error_param text,
     client_address text, body text, body_bytes integer, answer text, answer_bytes integer)
   where exists (select from organizations o where o.organization_id = r.organization_id)
   on conflict (organization_id, environment, request_id) do nothing`,
);

export const selectOldestTime = statementOnEachShard<[], { created_at: Date | null }>(
  'requests.select_oldest_time',
  'requests of every organization are deleted after seven days',
  'select min(created_at) as created_at from request_log',
);

/** Limited by time instead of rows, so that it can run on every shard at once. */
export const deleteBefore = statementOnEachShard<[before: Date]>(
  'requests.delete_before',
  'requests of every organization are deleted after seven days',
  'delete from request_log where created_at < $1',
);
