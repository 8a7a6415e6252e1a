import type { Deps } from '../../core/deps.ts';
import { recordExport } from '../../core/gifts/find/record-export.ts';
import { shownStateOf } from '../../core/gifts/find/summarize-gift.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { Scope } from '../../platform/base/principal.ts';
import { type PageRequest, readSearchPage, type SearchPage } from '../../platform/paging/read-page.ts';
import {
  type BatchRow,
  listBatches as list,
  listRows,
  type ResultRow,
  selectBatch,
  selectHasLinks,
} from './queries.ts';
import type { Batch, BatchResult, ShownBatch } from './schema.ts';

type ShowDeps = Pick<Deps, 'database'>;

/** A page of the batches that were started, newest first. @param memberIds only theirs; null: all @throws BestowError `cursor_invalid` */
export async function listBatches(
  { database: { read } }: ShowDeps,
  { organizationId, environment }: Scope,
  request: PageRequest,
  memberIds: readonly string[] | null,
): Promise<SearchPage<Batch>> {
  const owner = [organizationId, environment] as const;
  const page = await readSearchPage(request, {
    prefix: 'batch',
    idOf: ({ batch_id }: BatchRow) => batch_id,
    exists: (id) => selectBatch(read, [...owner, id]),
    read: (direction, { above, below }, limit) => list[direction](read, [...owner, above, below, limit, memberIds]),
  });
  return { ...page, rows: page.rows.map(present) };
}

/** @throws BestowError `resource_missing` */
export async function showBatch(deps: ShowDeps, scope: Scope, batchId: string): Promise<ShownBatch> {
  const batch = await requireBatch(deps, scope, batchId);
  const [links] = await selectHasLinks(deps.database.pool, [scope.organizationId, scope.environment, batchId]);
  return { ...present(batch), has_links: links?.has_links ?? false };
}

/** @throws BestowError `resource_missing` */
export async function requireBatch(
  { database }: ShowDeps,
  { organizationId, environment }: Scope,
  batchId: string,
): Promise<BatchRow> {
  const [batch] = await selectBatch(database.pool, [organizationId, environment, batchId]);
  if (batch === undefined) throw new BestowError('resource_missing');
  return batch;
}

const present = (batch: BatchRow): Batch => ({
  batch_id: encodeId('batch', batch.batch_id),
  name: batch.name,
  state: batch.state,
  rows: batch.row_count,
  amount: batch.amount_cents,
  placed: batch.placed_count,
  refused: batch.refused_count,
  member: batch.member_email,
  stop: batch.stop_code === null ? null : { code: batch.stop_code, message: batch.stop_message ?? '' },
  created_at: batch.created_at,
  started_at: batch.started_at,
  ended_at: batch.ended_at,
});

interface ResultRequest {
  /** The row after which the page begins. */
  after: number;
  limit: number;
  onlyRefused: boolean;
}

/** Rows with their results, in the order of the file. */
export async function listResults(
  { database }: ShowDeps,
  { organizationId, environment }: Scope,
  batchId: string,
  { after, limit, onlyRefused }: ResultRequest,
): Promise<{ rows: BatchResult[]; next: number | null }> {
  const read = await listRows(database.read, [organizationId, environment, batchId, after, limit + 1, onlyRefused]);
  const rows = read.slice(0, limit);
  return { rows: rows.map(presentResult), next: read.length > limit ? (rows.at(-1)?.row_number ?? null) : null };
}

function presentResult({ gift_id, order_id, error_code, error_message, ...row }: ResultRow): BatchResult {
  return {
    row: row.row_number,
    result: order_id !== null ? 'placed' : error_code === null ? 'waiting' : 'refused',
    gift_id: gift_id && encodeId('gift', gift_id),
    order_id: order_id && encodeId('ord', order_id),
    ...(gift_id === null ? { status: null, state: null, is_kept: false } : shownStateOf(row)),
    amount: row.amount_cents,
    category: row.category_id,
    method: row.method,
    address: row.address,
    recipient_name: row.recipient_name,
    error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
  };
}

/** Of the file with the results; without links, whose holders can claim. */
export const resultColumns = [
  { key: 'row', header: 'Row' },
  { key: 'result', header: 'Result' },
  { key: 'gift_id', header: 'Gift' },
  { key: 'order_id', header: 'Order' },
  { key: 'status', header: 'Status' },
  { key: 'state', header: 'State' },
  { key: 'amount', header: 'Amount', isMoney: true },
  { key: 'category', header: 'Category' },
  { key: 'method', header: 'Method' },
  { key: 'address', header: 'Address' },
  { key: 'recipient_name', header: 'Recipient' },
  { key: 'error.code', header: 'Error code' },
  { key: 'error.message', header: 'Error' },
] as const;

const ROWS_PER_PAGE = 250;

/** Every row with its result; recorded as an export of addresses. @throws BestowError `resource_missing` */
export async function exportResults(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  scope: Scope,
  batchId: string,
  actor: Actor,
): Promise<AsyncGenerator<BatchResult, void>> {
  await requireBatch(deps, scope, batchId);
  await recordExport(deps, scope, actor);
  return readAll(deps, scope, batchId);
}

/** Every row, a page for each statement. */
export async function* readAll(deps: ShowDeps, scope: Scope, batchId: string): AsyncGenerator<BatchResult, void> {
  for (let after: number | null = 0; after !== null; ) {
    const page: { rows: BatchResult[]; next: number | null } = await listResults(deps, scope, batchId, {
      after,
      limit: ROWS_PER_PAGE,
      onlyRefused: false,
    });
    for (const row of page.rows) yield row;
    after = page.next;
  }
}
