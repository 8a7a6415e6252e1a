import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { fillGifts } from '../../../../bench/fill-gifts.ts';
import { describePlan, explainPlan, rowsRead } from '../../harness/explain-plan.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());

const DAY_MS = 86_400_000;
const ORDERS = 1_000;
const OTHERS = 20;
/** Each gift that has the rarest pair is looked up once, after its pair. */
const MOST_ROWS_READ = 4 * ORDERS;
const LOWEST = '00000000-0000-0000-0000-000000000000';
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

test('a common pair of metadata looks each gift up once, also in a small organization among others', async (t) => {
  const sql = new Client(service.target);
  await sql.connect();
  t.after(() => sql.end());
  const { organizationUuid: organizationId } = await service.organization({ sandbox: 1_000_000_000 });
  const toMs = service.clock.now() - 1;
  const span = { environment: 'sandbox', fromMs: toMs - DAY_MS, toMs } as const;
  await fillGifts(sql, { ...span, organizationId, orders: ORDERS, hasMetadata: true });
  for (let n = 0; n < OTHERS; n += 1) {
    const other = await service.organization({ sandbox: 1_000_000_000 });
    await fillGifts(sql, { ...span, organizationId: other.organizationUuid, orders: ORDERS / 10 });
  }
  await sql.query('vacuum analyze');
  const page = [null, LOWEST, HIGHEST, null, 11];
  const filters = ['failed', 'phone', 'books', null, null, null, '{"half": "1"}', 2_000, null, null];
  for (const direction of ['descending', 'ascending']) {
    const name = `gifts.filter_with_metadata_${direction}`;
    const parameters = [organizationId, 'sandbox', ...page, ...filters];
    const nodes = await explainPlan(sql, organizationId, { name, parameters, mode: 'force_generic_plan' });
    const read = rowsRead(nodes);
    assert.ok(read > ORDERS && read <= MOST_ROWS_READ, `${name}: ${read} rows read by ${describePlan(nodes)}`);
  }
});
