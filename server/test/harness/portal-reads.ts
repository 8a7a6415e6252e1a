import assert from 'node:assert/strict';
import { BestowError } from '../../src/platform/base/errors.ts';
import { idBefore, timeOfId } from '../../src/platform/base/id-time.ts';
import { encodeId, type IdPrefix } from '../../src/platform/base/ids.ts';
import type { PageRequest, SearchPage } from '../../src/platform/paging/read-page.ts';
import type { TestOrganization, TestService } from './test-service.ts';

type ReadPage<Row> = (request: PageRequest) => Promise<SearchPage<Row>>;

/** Reads all pages, newest first. */
async function walkToOldest<Row>(readPage: ReadPage<Row>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page = await readPage({ limit, after });
    assert.ok(page.rows.length <= limit);
    assert.equal(page.newer === null, after === undefined);
    rows.push(...page.rows);
    after = page.older ?? undefined;
  } while (after !== undefined);
  return rows;
}

/** Reads to the last page and back again; newest first. */
async function walkBack<Row>(readPage: ReadPage<Row>, limit: number): Promise<Row[]> {
  let page = await readPage({ limit });
  while (page.older !== null) page = await readPage({ limit, after: page.older });
  const rows = [...page.rows];
  while (page.newer !== null) {
    page = await readPage({ limit, before: page.newer });
    assert.ok(page.rows.length <= limit);
    rows.unshift(...page.rows);
  }
  return rows;
}

/** Checks both walks with pages of several sizes; newest first. */
export async function assertPages<Row>(
  readPage: ReadPage<Row>,
  expected: readonly Row[],
  name: string,
  limits = [1, 2, 3, 100],
): Promise<void> {
  for (const limit of limits) {
    assert.deepEqual(await walkToOldest(readPage, limit), expected, `${name}, by ${limit}`);
    assert.deepEqual(await walkBack(readPage, limit), expected, `${name}, back by ${limit}`);
  }
}

/** Checks that both directions refuse the cursor. */
export async function assertCursorRefused<Row>(readPage: ReadPage<Row>, cursor: string): Promise<void> {
  for (const param of ['after', 'before'] as const)
    await assert.rejects(readPage({ limit: 5, [param]: cursor }), (error: unknown) => {
      assert.ok(error instanceof BestowError, cursor);
      assert.deepEqual([error.code, error.param], ['cursor_invalid', param], cursor);
      return true;
    });
}

/** Invalid cursors: empty, of another kind, and not ids. */
export const impossibleCursors = (prefix: IdPrefix, ownUuid: string): string[] => [
  encodeId(prefix, '019a0000-0000-7000-8000-000000000000'),
  encodeId('key', ownUuid),
  ownUuid,
  '',
  'x'.repeat(5_000),
  `${encodeId(prefix, ownUuid)} `,
  encodeId(prefix, ownUuid).toUpperCase(),
];

const copied = {
  orders: 'amount_cents, key_id, member_id, fingerprint',
  ledger_entries: 'kind, amount_cents',
  gifts:
    'position, amount_cents, category_id, method, address, delivery_state, delivery_id, sender_name, link_expires_at',
} as const;

/**
 * Copies the latest order of the organization's sandbox with later ids of the same millisecond, and charges the
 * balance for the copies.
 */
export async function copyOrder(service: TestService, { organizationUuid }: TestOrganization, copies: number) {
  const [latest] = await service.sql<{ order_id: string }>(
    `select order_id from orders where organization_id = $1 and environment = 'sandbox' order by order_id desc limit 1`,
    [organizationUuid],
  );
  const orderId = latest?.order_id ?? '';
  const after = idBefore(new Date(timeOfId(orderId).getTime() + 1)).replace('-0000-0000-', '-7000-8000-');
  const copyId = `overlay('${after}' placing lpad(to_hex(n), 8, '0') from 29)::uuid`;
  const own = {
    orders: [['idempotency_key', `'copy ' || n || ' of ' || order_id`]],
    ledger_entries: [
      ['entry_id', copyId],
      ['balance_after_cents', 'balance_after_cents + n * amount_cents'],
    ],
    gifts: [['gift_id', copyId]],
  };
  for (const table of ['orders', 'ledger_entries', 'gifts'] as const) {
    const names = [copied[table], ...own[table].map(([name]) => name)].join(', ');
    const values = [copied[table], ...own[table].map(([, value]) => value)].join(', ');
    await service.sql(
      `insert into ${table} (organization_id, environment, created_at, order_id, ${names})
       select organization_id, environment, created_at, ${copyId}, ${values}
       from ${table}, generate_series(1, $2::integer) as n
       where organization_id = $1 and environment = 'sandbox' and order_id = $3`,
      [organizationUuid, copies, orderId],
    );
    // PostgreSQL needs the row count to check the next table's foreign keys by the index.
    await service.sql(`analyze ${table}`);
  }
  await service.sql(
    `update balances b set balance_cents = (
       select balance_after_cents from ledger_entries e
       where e.organization_id = $1 and e.environment = 'sandbox' order by entry_id desc limit 1)
     where b.organization_id = $1 and b.environment = 'sandbox'`,
    [organizationUuid],
  );
}
