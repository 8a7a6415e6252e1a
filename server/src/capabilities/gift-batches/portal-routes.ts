import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import { CancelInput } from '../../core/gifts/gift/schema.ts';
import { FormId } from '../../faces/portal-access/form-id.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { requireId } from '../../platform/api/require-id.ts';
import { Cents } from '../../platform/api/schema.ts';
import { csvReply } from '../../platform/http/csv-reply.ts';
import { checkRows } from './check-rows.ts';
import { exportLinks, linkColumns } from './export-links.ts';
import { Batch, BatchResult, CheckedRow, MAX_ROWS, Rows, ShownBatch } from './schema.ts';
import { exportResults, listBatches, listResults, requireBatch, resultColumns, showBatch } from './show-batches.ts';
import { cancelBatch, resumeBatch, startBatch } from './start-batch.ts';
import { createBatch, storeRows } from './store-rows.ts';

const PATH = '/organizations/{organization_id}/{environment}/batches';
const ONE = `${PATH}/{batch_id}`;
const tag = 'Batches';
const RowNumber = Type.Integer({ minimum: 1, maximum: MAX_ROWS, 'x-rule': `must be a row from 1 to ${MAX_ROWS}` });

/** As it is on someone’s disk. */
const FileName = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\p{Cc}\\p{Cs}\\u2028\\u2029]+$' });

/** Many gifts that people send from a file. */
export function batchRoutes(register: Register, deps: Deps): void {
  addDraftRoutes(register, deps);
  addActRoutes(register, deps);
  addCancelRoute(register, deps);
  addReadRoutes(register, deps);
  addResultRoutes(register, deps);
}

function addDraftRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/check`,
      operationId: 'checkRows',
      tag,
      summary: 'Checks rows of a file, and finds recent gifts to the same addresses. Stores and buys nothing.',
      access: 'member',
      needs: 'order',
      body: Type.Object({ first_row: RowNumber, rows: Rows }),
      response: Type.Object({ data: Type.Array(CheckedRow) }),
    },
    async ({ scope, body: { first_row, rows } }) => ({ data: await checkRows(deps, scope, first_row, rows) }),
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'createBatch',
      tag,
      summary: 'Creates a draft of a batch. The same form makes one.',
      access: 'member',
      needs: 'order',
      body: Type.Object({ form_id: FormId, name: FileName, rows: RowNumber }),
      response: Type.Object({ batch_id: Type.String() }),
    },
    async ({ scope, body: { form_id, name, rows }, member }) => ({
      batch_id: await createBatch(deps, scope, { formId: form_id, name, rows, actor: member.actor }),
    }),
  );

  register(
    {
      method: 'PUT',
      path: `${ONE}/rows`,
      operationId: 'storeRows',
      tag,
      summary: 'Stores rows of a draft, in place of those with the same numbers.',
      access: 'member',
      needs: 'order',
      body: Type.Object({ first_row: RowNumber, rows: Rows }),
    },
    ({ params, scope, body: { first_row, rows } }) =>
      storeRows(deps, scope, requireId('batch', params.batch_id), { firstRow: first_row, gifts: rows }),
  );
}

function addActRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${ONE}/start`,
      operationId: 'startBatch',
      tag,
      summary: 'Buys the gifts of a draft, if the balance covers all of them. Starting it again changes nothing.',
      access: 'member',
      needs: 'order',
      needsFreshSignIn: true,
      body: Type.Object({
        amount: Type.Unsafe<number>({ ...Cents, description: 'The sum that the admin saw.' }),
        accepts_duplicates: Type.Boolean({
          description: 'Send also to those who had a gift, or are in the file twice.',
        }),
      }),
      response: ShownBatch,
    },
    async ({ params, scope, body: { amount, accepts_duplicates }, member }) => {
      const batchId = requireId('batch', params.batch_id);
      const accepted = { amountCents: amount, acceptsDuplicates: accepts_duplicates };
      await startBatch(deps, scope, { batchId, actor: member.actor, ...accepted });
      return showBatch(deps, scope, batchId);
    },
  );

  register(
    {
      method: 'POST',
      path: `${ONE}/resume`,
      operationId: 'resumeBatch',
      tag,
      summary: 'Goes on with a batch that stopped, if the balance covers the rest.',
      access: 'member',
      needs: 'order',
      needsFreshSignIn: true,
      response: ShownBatch,
    },
    async ({ params, scope, member }) => {
      const batchId = requireId('batch', params.batch_id);
      await resumeBatch(deps, scope, { batchId, actor: member.actor });
      return showBatch(deps, scope, batchId);
    },
  );
}

function addCancelRoute(register: Register, deps: Deps): void {
  register(
    {
      method: 'POST',
      path: `${ONE}/cancel`,
      operationId: 'cancelBatch',
      tag,
      summary: 'Buys no more, and cancels every unclaimed gift of the batch; their amounts return to the balance.',
      access: 'member',
      needs: 'cancel',
      needsFreshSignIn: true,
      body: Type.Object(CancelInput.properties),
      response: ShownBatch,
    },
    async ({ params, scope, body: { reason }, member }) => {
      const batchId = requireId('batch', params.batch_id);
      await cancelBatch(deps, scope, { batchId, actor: member.actor, reason });
      return showBatch(deps, scope, batchId);
    },
  );
}

function addReadRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listBatches',
      tag,
      summary: 'The batches that were started, newest first.',
      access: 'member',
      needs: 'gifts',
      keepsToReach: true,
      query: Type.Object(pageQuery),
      response: pageOf(Batch),
    },
    async ({ scope, query, member }) =>
      pageAnswer(await listBatches(deps, scope, readPage(query), member.membership.reach)),
  );

  register(
    {
      method: 'GET',
      path: ONE,
      operationId: 'showBatch',
      tag,
      summary: 'A batch and how far it is.',
      access: 'member',
      needs: 'gifts',
      response: ShownBatch,
    },
    ({ params, scope }) => showBatch(deps, scope, requireId('batch', params.batch_id)),
  );
}

function addResultRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: `${ONE}/rows`,
      operationId: 'listBatchRows',
      tag,
      summary: 'Rows with their results, in the order of the file.',
      access: 'member',
      needs: 'gifts',
      query: Type.Object({
        after_row: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ROWS })),
        limit: pageQuery.limit,
        result: Type.Optional(Type.Literal('refused')),
      }),
      response: Type.Object({
        data: Type.Array(BatchResult),
        next: Type.Union([Type.Integer(), Type.Null()], { description: '`after_row` of the next page.' }),
      }),
    },
    async ({ params, scope, query: { after_row: after = 0, limit = 25, result } }) => {
      const batchId = requireId('batch', params.batch_id);
      await requireBatch(deps, scope, batchId);
      const wanted = { after, limit, onlyRefused: result === 'refused' };
      const { rows, next } = await listResults(deps, scope, batchId, wanted);
      return { data: rows, next };
    },
  );

  register(
    {
      method: 'GET',
      path: `${ONE}/results.csv`,
      operationId: 'exportBatchRows',
      tag,
      summary: 'Every row with its result as a file.',
      access: 'member',
      needs: 'people',
      needsFreshSignIn: true,
      file: 'text/csv',
    },
    async ({ params, scope, reply, member }) => {
      const rows = await exportResults(deps, scope, requireId('batch', params.batch_id), member.actor);
      const file = { columns: resultColumns, rows, currency: deps.config.currency };
      return csvReply(reply, deps.log, `results-${scope.environment}`, file);
    },
  );

  register(
    {
      method: 'GET',
      path: `${ONE}/links.csv`,
      operationId: 'exportBatchLinks',
      tag,
      summary: 'The results with the links of unclaimed link gifts as a file. Gifts on hold have no link in it.',
      access: 'member',
      needs: 'links',
      needsFreshSignIn: true,
      file: 'text/csv',
    },
    async ({ params, scope, reply, member }) => {
      const shown = { batchId: requireId('batch', params.batch_id), actor: member.actor };
      const rows = await exportLinks(deps, scope, shown);
      const file = { columns: linkColumns, rows, currency: deps.config.currency };
      return csvReply(reply, deps.log, `links-${scope.environment}`, file);
    },
  );
}
