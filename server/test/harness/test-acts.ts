import { Client } from 'pg';
import { pino } from 'pino';
import { addFunds } from '../../src/core/balances/change-balance.ts';
import { createKey } from '../../src/core/keys/create-key.ts';
import { createOrganization } from '../../src/core/organizations/create-organization.ts';
import { createSandbox } from '../../src/core/sandbox/create-sandbox.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { createIdGenerator, decodeId } from '../../src/platform/base/ids.ts';
import { OperatorError } from '../../src/platform/base/operator-error.ts';
import { openConnections } from '../../src/platform/database/connect-shards.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { endWithTest } from './end-with-test.ts';
import { OPERATOR } from './operator.ts';
import { TestClock } from './test-clock.ts';
import { createTestDatabase } from './test-database.ts';

type ActDeps = Pick<AllDeps, 'database' | 'ids' | 'log' | 'tracer'> & { clock: TestClock };

export interface TestActs {
  deps: ActDeps;
  clock: TestClock;
  /** The database on each server, as a superuser. */
  servers: readonly ConnectionTarget[];
  /** Runs SQL, as no act does. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  newOrganization(): Promise<{ id: string; uuid: string; memberId: string }>;
  newKey(organizationId: string, environment: Environment): ReturnType<typeof createKey>;
  /** In the sandbox by default. */
  fund(
    organizationId: string,
    amountCents: number,
    more?: { environment?: Environment; reference?: string },
  ): ReturnType<typeof addFunds>;
  /** Makes an order with gifts of these amounts; the last `pending` gifts are not created yet. */
  insertOrder(uuid: string, amounts: number[], more?: { pending?: number }): Promise<string>;
  close(): Promise<void>;
}

/** Makes the dependencies of acts that no HTTP request reaches, on a new database and a test clock. */
export async function startTestActs(): Promise<TestActs> {
  const testDatabase = await createTestDatabase();
  const { servers, serviceServers } = testDatabase;
  const clock = new TestClock('2026-11-21T12:00:30Z');
  const log = pino({ level: 'silent' });
  const database = openConnections({ servers: serviceServers }, () => undefined);
  const deps: ActDeps = { database, clock, ids: createIdGenerator(clock), log, tracer: undefined };
  const clients = servers.map((server) => new Client(server));
  await Promise.all(clients.map((client) => client.connect()));

  async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const results = await Promise.all(clients.map((client) => client.query<Row>(text, values)));
    return results.flatMap(({ rows }) => rows);
  }

  return {
    deps,
    clock,
    servers,
    sql,
    async newOrganization() {
      const created = await createOrganization(deps, { name: 'Acme', adminEmail: 'ann@acme.test', actor: OPERATOR });
      const uuid = decodeId('org', created.organization_id) ?? '';
      return { id: created.organization_id, uuid, memberId: created.member_id };
    },
    newKey: (organizationId, environment) =>
      createKey(deps, { organizationId, environment, name: 'test', actor: OPERATOR }),
    async fund(organizationId, amountCents, { environment = 'sandbox', reference } = {}) {
      if (environment === 'sandbox') await createSandbox(deps, { organizationId, actor: OPERATOR });
      return addFunds(deps, { organizationId, environment, amountCents, reference, note: undefined, actor: OPERATOR });
    },
    insertOrder: (uuid, amounts, { pending = 0 } = {}) => insertOrder({ deps, sql }, uuid, amounts, pending),
    close: endWithTest(async () => {
      await Promise.all(clients.map((client) => client.end()));
      await database.close();
      await testDatabase.drop();
    }),
  };
}

async function insertOrder(
  acts: Pick<TestActs, 'deps' | 'sql'>,
  uuid: string,
  amounts: number[],
  pending: number,
): Promise<string> {
  const { deps, sql } = acts;
  const [key] = await sql<{ key_id: string }>('select key_id from api_keys where organization_id = $1', [uuid]);
  const [member] = await sql<{ member_id: string }>('select member_id from members where organization_id = $1', [uuid]);
  await sql(`insert into categories values ('books', 'Books', 'For readers.', null, null, 1, now(), null)
  on conflict do nothing`);
  const orderId = deps.ids.next();
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const rest = amounts.slice(amounts.length - pending).map((amount_cents, index) => ({
    position: amounts.length - pending + index,
    amount_cents,
  }));
  await sql(
    `insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id,
     member_id, created_at, completes_at, pending_gifts)
   values ($1, 'sandbox', $2, $3, $4, $5, $6, $7, now(), $8, $9)`,
    [
      uuid,
      orderId,
      orderId,
      Buffer.alloc(32),
      sum,
      key?.key_id,
      member?.member_id,
      pending > 0 ? new Date() : null,
      pending > 0 ? JSON.stringify(rest) : null,
    ],
  );
  await insertGifts(acts, uuid, orderId, amounts.slice(0, amounts.length - pending));
  await sql(
    `with debit as (
     update balances set balance_cents = balance_cents - $3 where organization_id = $1 and environment = 'sandbox'
     returning balance_cents
   )
   insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents,
     order_id, created_at)
   select $1, 'sandbox', $4, 'order', -$3::bigint, balance_cents, $2, now() from debit`,
    [uuid, orderId, sum, deps.ids.next()],
  );
  return orderId;
}

async function insertGifts(
  { deps, sql }: Pick<TestActs, 'deps' | 'sql'>,
  uuid: string,
  orderId: string,
  amounts: number[],
): Promise<void> {
  for (const [position, amount] of amounts.entries())
    await sql(
      `insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method,
       sender_name, link_expires_at, created_at)
     values ($1, 'sandbox', $2, $3, $4, $5, 'books', 'link', 'Acme', now(), now())`,
      [uuid, deps.ids.next(), orderId, position, amount],
    );
}

export const isOperatorError = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorError && pattern.test(error.message);
