import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  insertBatch,
  type OneBatch,
  queueBatch,
  upsertRows,
} from '../../server/src/capabilities/gift-batches/queries.ts';
import { systemClock } from '../../server/src/platform/base/clock.ts';
import { createIdGenerator, decodeId, encodeId } from '../../server/src/platform/base/ids.ts';
import { checkTables } from '../checker/check-tables.ts';
import type { Fault } from './fault.ts';
import { type Installation, type InstalledServer, openInstallation } from './installation.ts';

const MOST_ROWS = 10_000;
const ROWS_PER_KILL = 1_000;
const CENTS = 1_000;
/** A killed job is found by its heartbeat within half a minute. */
const MOVED_WITHIN_MS = 120_000;

/** Kills two servers midway through a file of gifts, and counts the gifts at the end. */
export const killBatches: Fault = {
  name: 'batches',
  summary:
    'SIGKILL of two servers while a file of 10,000 gifts is bought: each row has one gift, nothing is bought twice.',
  fullCount: 10,
  shortCount: 1,
  async run({ count, random, say }) {
    const rows = Math.min(MOST_ROWS, count * ROWS_PER_KILL);
    const installation = await openInstallation({ random, organizations: [{ environments: ['live'] }] });
    try {
      let servers: readonly InstalledServer[] = await Promise.all([
        installation.startServer(),
        installation.startServer(),
      ]);
      const startedAtMs = performance.now();
      const batchId = await startBatch(installation, rows);
      const recoveriesMs: number[] = [];
      for (let kill = 0; kill < count; kill += 1) {
        await untilPlaced(installation, ((kill + random()) * rows) / count);
        const killedAtMs = performance.now();
        for (const server of servers) server.signal('SIGKILL');
        await Promise.all(servers.map(({ ended }) => ended));
        const placed = await placedRows(installation);
        servers = await Promise.all(servers.map(({ port }) => installation.startServer({ port })));
        if (placed < rows) await untilPlaced(installation, placed + 1);
        recoveriesMs.push(performance.now() - killedAtMs);
        say(`killed at ${placed} of ${rows}`);
      }
      await untilPlaced(installation, rows);
      const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
      const failures = await judge(installation, batchId, rows);
      const violations = await checkTables(installation.target);
      return { count, violations, failures, recoveriesMs, notes: [`${rows} gifts in ${seconds} s`] };
    } finally {
      await installation.close();
    }
  },
};

/** Stores and starts a batch with the statements of the portal's acts. @returns `batch_…` */
async function startBatch({ target, organizations, sql }: Installation, rows: number): Promise<string> {
  const organizationId = decodeId('org', organizations[0]?.organizationId ?? '') ?? '';
  const [member] = await sql<{ member_id: string }>('select member_id from members');
  const [category] = await sql<{ category_id: string }>('select category_id from categories limit 1');
  const ids = createIdGenerator(systemClock);
  const memberId = member?.member_id ?? '';
  const one: OneBatch = [organizationId, 'live', ids.next()];
  const now = new Date();
  const client = new Client(target);
  await client.connect();
  try {
    await insertBatch(client, [...one, ids.next(), 'people.csv', rows, memberId, '127.0.0.1', now]);
    const stored = Array.from({ length: rows }, (_, n) => {
      const address = `person${n + 1}@example.com`;
      const delivery = { method: 'email', email: address };
      return { row_number: n + 1, gift: { amount: CENTS, category: category?.category_id, delivery }, address };
    });
    await upsertRows(client, [...one, JSON.stringify(stored)]);
    await queueBatch(client, [...one, 'running', memberId, '127.0.0.1', now, null, rows * CENTS]);
  } finally {
    await client.end();
  }
  return encodeId('batch', one[2]);
}

async function placedRows({ sql }: Installation): Promise<number> {
  const [row] = await sql<{ placed_count: number }>('select placed_count from batches');
  return row?.placed_count ?? 0;
}

async function untilPlaced(installation: Installation, wanted: number): Promise<void> {
  const untilMs = performance.now() + MOVED_WITHIN_MS;
  while ((await placedRows(installation)) < wanted) {
    if (performance.now() > untilMs) throw new Error(`Fewer than ${wanted} rows are placed after two minutes.`);
    await sleep(20);
  }
}

async function judge({ sql }: Installation, batchId: string, rows: number): Promise<string[]> {
  const [found] = await sql<Record<string, number>>(
    `select (select count(*) from gifts)::integer as gifts, (select count(distinct address) from gifts)::integer as people,
       (select count(*) from orders where idempotency_key like $1)::integer as orders,
       (select count(*) from batch_rows r join gifts g using (organization_id, environment, order_id, position)
        where g.address = 'person' || r.row_number || '@example.com')::integer as results,
       (select -sum(amount_cents) from ledger_entries where kind = 'order')::integer as cents`,
    [`${batchId}\\_%`],
  );
  const expected = { gifts: rows, people: rows, orders: Math.ceil(rows / 10), results: rows, cents: rows * CENTS };
  return Object.entries(expected)
    .filter(([name, number]) => found?.[name] !== number)
    .map(([name, number]) => `There are ${found?.[name]} ${name}, not ${number}.`);
}
