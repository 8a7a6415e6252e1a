import { Client } from 'pg';
import { pino } from 'pino';
import { decodeId } from '../../src/base/ids.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { ConnectionTarget } from '../../src/database/connections.ts';
import { addFunds } from '../../src/balances/add-funds.ts';
import type { Environment } from '../../src/base/environment.ts';
import { addCategory } from '../../src/catalog/add-category.ts';
import { createKey } from '../../src/keys/create-key.ts';
import { createOrganization } from '../../src/organizations/create-organization.ts';
import { createService, type Service } from '../../src/service.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { TestClock } from './test-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const LINK_SECRET = 'a link secret for tests, long enough';
const START_OF_TIME = '2026-11-21T12:00:00Z';

export interface TestOrganization {
  organizationId: string;
  /** The same as a UUID, for SQL. */
  organizationUuid: string;
  memberId: string;
  /** Full keys. */
  keys: Record<Environment, string>;
  sandbox: ApiClient;
  live: ApiClient;
}

export interface TestService {
  service: Service;
  url: string;
  clock: TestClock;
  target: ConnectionTarget;
  /** The API with this key, or with none. */
  api(key?: string): ApiClient;
  /** An organization with an active admin, a key for each environment and a balance in each. */
  organization(cents?: Partial<Record<Environment, number>>): Promise<TestOrganization>;
  /** Looks into the database, as no caller can. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Another process's worth of service on the same database. */
  second(variables?: Record<string, string>): Promise<TestService>;
  close(): Promise<void>;
}

export const testConfig = (variables: Record<string, string> = {}): Config =>
  readConfig({ PORT: '0', RATE_LIMIT_ADDRESS_BURST: '100000', RATE_LIMIT_BURST: '100000', ...variables });

/** The service as production runs it, on a database of its own and a clock that the test moves. */
export async function startTestService(variables: Record<string, string> = {}): Promise<TestService> {
  const database = await createTestDatabase();
  return startOn(database, new TestClock(START_OF_TIME), variables, true);
}

async function startOn(
  database: TestDatabase,
  clock: TestClock,
  variables: Record<string, string>,
  isFirst: boolean,
): Promise<TestService> {
  const { target } = database;
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  const service = await createService(testConfig(variables), { target, clock, log, linkSecrets: [LINK_SECRET] });
  const url = (await service.listen()).replace('localhost', '127.0.0.1');
  const { deps } = service;
  if (isFirst)
    for (const id of ['coffee', 'books', 'travel'])
      await addCategory(deps, { id, name: id, description: `For people who like ${id}.`, artwork: undefined });
  const sqlClient = new Client(target);
  await sqlClient.connect();

  const test: TestService = {
    service,
    url,
    clock,
    target,
    api: (key) => createApiClient(url, key),
    async organization(cents = {}) {
      const { organization_id, member_id } = await createOrganization(deps, {
        name: 'Test Organization',
        adminEmail: 'admin@example.com',
      });
      const keys = { live: '', sandbox: '' };
      for (const environment of ['live', 'sandbox'] as const) {
        const { key } = await createKey(deps, { organizationId: organization_id, environment, name: 'test' });
        keys[environment] = key;
        const amountCents = cents[environment] ?? 1_000_000;
        if (amountCents > 0) await addFunds(deps, { organizationId: organization_id, environment, amountCents });
      }
      return {
        organizationId: organization_id,
        organizationUuid: decodeId('org', organization_id) ?? '',
        memberId: member_id,
        keys,
        live: createApiClient(url, keys.live),
        sandbox: createApiClient(url, keys.sandbox),
      };
    },
    sql: async <Row>(text: string, values: unknown[] = []) => (await sqlClient.query(text, values)).rows as Row[],
    second: (more = {}) => startOn(database, clock, { ...variables, ...more }, false),
    async close() {
      await sqlClient.end();
      await service.close();
      if (isFirst) await database.drop();
    },
  };
  return test;
}
