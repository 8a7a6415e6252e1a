import { Client } from 'pg';
import { addFunds } from '../../src/core/balances/change-balance.ts';
import { addCategory } from '../../src/core/catalog/add-category.ts';
import { issueKey } from '../../src/core/keys/issue-key.ts';
import { addMember } from '../../src/core/organizations/add-member.ts';
import { createOrganization } from '../../src/core/organizations/create-organization.ts';
import { deactivateMember } from '../../src/core/organizations/deactivate-member.ts';
import { setBillingContact } from '../../src/core/organizations/set-billing-contact.ts';
import { createKey } from '../../src/platform/authentication/key-format.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import { type Config, readConfig } from '../../src/platform/configuration/config.ts';
import type { ConnectionTarget } from '../../src/platform/database/connections.ts';
import { inOrganization } from '../../src/platform/database/in-organization.ts';
import { shardOf } from '../../src/platform/database/shard-of.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { createService, type Service } from '../../src/surfaces/process/serve.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { endWithTest } from './end-with-test.ts';
import { OPERATOR } from './operator.ts';
import { TestClock, type WatchedJobs } from './test-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { createTestLog } from './test-log.ts';

export const LINK_SECRET = 'a link secret for tests that is long enough';
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
  /** Creates another key; returns it in full. */
  newKey(environment: Environment): Promise<string>;
  fund(environment: Environment, amountCents: number): Promise<void>;
  /** Adds an admin and a member; returns their UUIDs and the first admin's. */
  addMembers(): Promise<{ first: string; second: string; member: string }>;
  setBillingContact(memberUuid: string): Promise<void>;
  deactivate(memberUuid: string): Promise<void>;
}

export interface TestService {
  service: Service;
  url: string;
  clock: TestClock;
  /** For SQL of tests; the first of several servers. */
  target: ConnectionTarget;
  /** The database on each server. */
  servers: readonly ConnectionTarget[];
  /** The server of an organization (UUID). */
  targetOf(organizationUuid: string): ConnectionTarget;
  /** The database of people, which may be the same. */
  homeTarget: ConnectionTarget;
  /** The API with this key, or without one. */
  api(key?: string): ApiClient;
  /** Creates an organization with an active admin, a key and a balance for each environment. */
  organization(cents?: Partial<Record<Environment, number>>): Promise<TestOrganization>;
  addCategory(id: string): Promise<void>;
  /**
   * Runs SQL, as no caller can: on the database of people if it names the schema `portal`, on an organization's server if a
   * value is its UUID, otherwise on every server.
   */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Starts another service on the same database, as another process would. It is closed with the first. */
  second(variables?: Record<string, string>, linkSecrets?: string[]): Promise<TestService>;
  close(): Promise<void>;
}

export const testConfig = (variables: Record<string, string> = {}): Config =>
  readConfig({
    PORT: '0',
    PROCESSES: '1',
    RATE_LIMIT_ADDRESS_BURST: '100000',
    RATE_LIMIT_BURST: '100000',
    ...variables,
  });

/**
 * Starts the service as production does, on a new database and a test clock.
 *
 * @param hasOwnHome people are in another database; `TEST_OWN_HOME=1` for all tests
 */
export async function startTestService(
  variables: Record<string, string> = {},
  hasOwnHome = process.env['TEST_OWN_HOME'] === '1',
): Promise<TestService> {
  const database = await createTestDatabase();
  const home = hasOwnHome ? await createTestDatabase() : undefined;
  return startOn({ ...database, home }, new TestClock(START_OF_TIME), variables, true);
}

/** Starts the service on a database that has its categories. */
export const startTestServiceOn = (
  database: TestDatabase,
  variables: Record<string, string> = {},
  clock = new TestClock(START_OF_TIME),
): Promise<TestService> => startOn({ ...database, home: undefined }, clock, variables, false);

async function startOn(
  database: TestDatabase & { home: TestDatabase | undefined },
  clock: TestClock,
  variables: Record<string, string>,
  isFirst: boolean,
  linkSecrets = [LINK_SECRET],
): Promise<TestService> {
  const { servers, serviceServers, home } = database;
  const [target] = servers as [ConnectionTarget];
  const log = createTestLog();
  const service = await createService(testConfig(variables), {
    servers: serviceServers,
    homeTarget: home?.serviceServers[0],
    clock,
    log,
    linkSecrets,
  });
  await service.listen();
  // The listening address; PUBLIC_URL may differ.
  const [bound] = service.app.addresses();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound.port : bound}`;
  const { deps } = service;
  const addTestCategory = async (id: string) => {
    await addCategory(deps, { id, name: id, description: `For people who like ${id}.` });
  };
  if (isFirst) for (const id of ['coffee', 'books', 'travel']) await addTestCategory(id);
  const organizations = new Set<string>();
  const { sql, close: closeSql } = await openSql(servers, home?.target, organizations);
  const stopWatching = clock.watch(watchJobs(sql));

  // Closes these with the first, even if a test failed.
  const seconds: TestService[] = [];
  const test: TestService = {
    service,
    url,
    clock,
    target,
    servers,
    targetOf: (organizationUuid) => servers[shardOf(organizationUuid, servers.length)] as ConnectionTarget,
    homeTarget: home?.target ?? target,
    api: (key) => createApiClient(url, key),
    async organization(cents = {}) {
      const organization = await createTestOrganization(deps, url, cents);
      organizations.add(organization.organizationUuid);
      return organization;
    },
    addCategory: addTestCategory,
    sql,
    async second(more = {}, secrets = linkSecrets) {
      const second = await startOn(database, clock, { ...variables, ...more }, false, secrets);
      seconds.push(second);
      return second;
    },
    close: endWithTest(async () => {
      stopWatching();
      for (const second of seconds) await second.close();
      await closeSql();
      await service.close();
      if (isFirst) await Promise.all([database.drop(), home?.drop()]);
    }),
  };
  return test;
}

/** If the database does not answer, such as after a test has ended the session, no job runs and any may be due. */
const watchJobs = (sql: TestService['sql']): WatchedJobs => ({
  areDone: async () =>
    (await sql(`select from pgboss.job where state = 'active' limit 1`).catch(() => [])).length === 0,
  areDue: async (atMs) =>
    (
      await sql(`select from pgboss.job where state < 'active' and start_after <= to_timestamp($1) limit 1`, [
        atMs / 1_000,
      ]).catch(() => [{}])
    ).length > 0,
});

async function openSql(
  servers: ConnectionTarget[],
  homeTarget: ConnectionTarget | undefined,
  organizations: Set<string>,
) {
  const clients = servers.map((server) => new Client(server));
  const home = homeTarget === undefined ? (clients[0] as Client) : new Client(homeTarget);
  const all = [...new Set([home, ...clients])];
  // A test may end these sessions.
  for (const each of all) each.on('error', () => undefined);
  await Promise.all(all.map((each) => each.connect()));
  const clientsFor = (text: string, values: unknown[]): Client[] => {
    if (/\bportal\./.test(text)) return [home];
    const owner = values.find((value): value is string => typeof value === 'string' && organizations.has(value));
    return owner === undefined ? clients : [clients[shardOf(owner, clients.length)] as Client];
  };
  // Statements that are sent together wait for each other.
  const last = new Map<Client, Promise<unknown>>();
  const ask = (client: Client, text: string, values: unknown[]) => {
    const answer = (last.get(client) ?? Promise.resolve()).then(() => client.query(text, values));
    last.set(
      client,
      answer.catch(() => undefined),
    );
    return answer;
  };
  return {
    async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      const results = await Promise.all(clientsFor(text, values).map((each) => ask(each, text, values)));
      return results.flatMap(({ rows }) => rows as Row[]);
    },
    close: () => Promise.all(all.map((each) => each.end())),
  };
}

async function createTestOrganization(
  deps: AllDeps,
  url: string,
  cents: Partial<Record<Environment, number>>,
): Promise<TestOrganization> {
  const { organization_id: organizationId, member_id: memberId } = await createOrganization(deps, {
    name: 'Test Organization',
    adminEmail: 'admin@example.com',
    actor: OPERATOR,
  });
  const organizationUuid = decodeId('org', organizationId) ?? '';
  const actor = OPERATOR;
  // Without the mail to admins, because tests count mails.
  const newKey = async (environment: Environment) => {
    const key = createKey(environment, organizationUuid);
    const issued = { organizationId: organizationUuid, environment, name: 'test', key, actor };
    await inOrganization(deps.database, organizationUuid, (client) => issueKey(client, deps, 'key.created', issued));
    return key;
  };
  const fund = async (environment: Environment, amountCents: number) => {
    await addFunds(deps, { organizationId, environment, amountCents, reference: undefined, note: undefined, actor });
  };
  const keys = { live: await newKey('live'), sandbox: await newKey('sandbox') };
  for (const environment of ['live', 'sandbox'] as const) {
    const amountCents = cents[environment] ?? 1_000_000;
    if (amountCents > 0) await fund(environment, amountCents);
  }
  const add = async (email: string, role: 'admin' | 'member') => {
    const { member_id } = await addMember(deps, { organizationId, email, role, actor });
    return decodeId('mem', member_id) ?? '';
  };
  return {
    organizationId,
    organizationUuid,
    memberId,
    keys,
    live: createApiClient(url, keys.live),
    sandbox: createApiClient(url, keys.sandbox),
    newKey,
    fund,
    addMembers: async () => ({
      first: decodeId('mem', memberId) ?? '',
      second: await add('second@example.com', 'admin'),
      member: await add('member@example.com', 'member'),
    }),
    async setBillingContact(memberUuid) {
      await setBillingContact(deps, { organizationId, memberId: encodeId('mem', memberUuid), actor });
    },
    async deactivate(memberUuid) {
      await deactivateMember(deps, { organizationId, memberId: encodeId('mem', memberUuid), actor, keepsAdmin: false });
    },
  };
}

/** Returns the current link of an organization's latest gift, as a message holds it. */
export async function giftLink(
  { service, sql }: TestService,
  { organizationUuid: organizationId }: TestOrganization,
  environment: Environment,
): Promise<string> {
  const [row] = await sql<{ gift_id: string; link_version: number; link_expires_at: Date }>(
    'select gift_id, link_version, link_expires_at from gifts where organization_id = $1 order by gift_id desc limit 1',
    [organizationId],
  );
  return service.deps.links.url({
    organizationId,
    environment,
    giftId: row?.gift_id ?? '',
    version: row?.link_version ?? 0,
    expiresAtMs: row?.link_expires_at.getTime() ?? 0,
  });
}

/** Opens a recipient's link on this service; the link itself names PUBLIC_URL. */
export async function openLink(
  { url }: Pick<TestService, 'url'>,
  link: string,
  method = 'GET',
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url + link.slice(link.indexOf('/g/')), { method, redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
