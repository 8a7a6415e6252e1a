import assert from 'node:assert/strict';
import type { Environment } from '../../src/base/environment.ts';
import { idBefore, timeOfId } from '../../src/base/id-time.ts';
import { encodeId, type IdPrefix } from '../../src/base/ids.ts';
import type { Scope } from '../../src/base/principal.ts';
import { BestowError } from '../../src/errors.ts';
import type { PageRequest, SearchPage } from '../../src/paging/read-page.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export const scopeOf = (organization: TestOrganization, environment: Environment = 'sandbox'): Scope => ({
  organizationId: organization.organizationUuid,
  environment,
});

type ReadPage<Row> = (request: PageRequest) => Promise<SearchPage<Row>>;

/** All pages from the newest on to the oldest. */
export async function walkToOldest<Row>(readPage: ReadPage<Row>, limit: number): Promise<Row[]> {
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

/** There and back again: the last page towards the oldest, and from it page by page to the newest; newest first. */
export async function walkBack<Row>(readPage: ReadPage<Row>, limit: number): Promise<Row[]> {
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

/** Both walks, by pages of several sizes, see exactly these, newest first. */
export async function assertPages<Row>(readPage: ReadPage<Row>, expected: readonly Row[], name: string): Promise<void> {
  for (const limit of [1, 2, 3, 100]) {
    assert.deepEqual(await walkToOldest(readPage, limit), expected, `${name}, by ${limit}`);
    assert.deepEqual(await walkBack(readPage, limit), expected, `${name}, back by ${limit}`);
  }
}

/** The cursor is refused in both directions. */
export async function assertCursorRefused<Row>(readPage: ReadPage<Row>, cursor: string): Promise<void> {
  for (const param of ['after', 'before'] as const)
    await assert.rejects(readPage({ limit: 5, [param]: cursor }), (error: unknown) => {
      assert.ok(error instanceof BestowError, cursor);
      assert.deepEqual([error.code, error.param], ['cursor_invalid', param], cursor);
      return true;
    });
}

/** Cursors that no list has: of nothing, of another kind, and no ids at all. */
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
 * Copies the latest order of the organization's sandbox, with ids of the millisecond after its own, and charges its
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
    // The next table's rows are checked against these, one by one: by the index, now that PostgreSQL knows how many there are.
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
