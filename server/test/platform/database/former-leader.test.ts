import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { SIGN_IN_CONNECTIONS } from '../../../src/platform/database/connections.ts';
import { emailGift, linkGift } from '../../harness/api-client.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization, type TestService } from '../../harness/test-service.ts';

// A lost leader can come back as a read-only standby. Until its name moves, connections still lead to it.

let service: TestService;
let admin: Client;
let organization: TestOrganization;
before(async () => {
  service = await startTestService();
  organization = await service.organization();
  admin = new Client({ ...service.target, database: 'postgres' });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await service.close();
});

/** Sets whether new sessions are read-only. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const { database } = service.target;
  await admin.query(`alter database ${database} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
}

const endSessions = () =>
  admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = $1 and application_name in ('bestow', 'bestow portal')`,
    [service.target.database],
  );

/** A finding is kept for half a second. */
async function readiness(): Promise<unknown> {
  await sleep(550);
  const response = await fetch(`${service.url}/readyz`);
  return [response.status, await response.json()];
}

const READY = [200, { status: 'ok' }];
const READ_ONLY = [503, { status: 'unavailable', reasons: ['database_read_only'] }];

const redirected = { method: 'email', email: 'delivered@sandbox.gift.test' };

async function failedGift(): Promise<string> {
  const { body } = await organization.sandbox.order([emailGift('bounced')]);
  return body.gifts[0].gift_id;
}

test('leaves a read-only database and recovers without a restart', async () => {
  const { sandbox, organizationId } = organization;
  const giftId = await failedGift();
  const person = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organizationId}/sandbox/orders`;
  assert.equal((await person.call('GET', path)).status, 200);

  await setReadOnly(true);
  await endSessions();
  for (let again = 0; again < 2; again += 1) {
    assertRefused(await sandbox.order([linkGift()]), 'internal_error');
    assertRefused(await sandbox.get(`/v1/gifts/${giftId}`), 'internal_error');
    assertRefused(await sandbox.put(`/v1/gifts/${giftId}/delivery`, redirected), 'internal_error');
    assert.equal((await person.call('GET', path)).status, 500);
    assert.deepEqual(await readiness(), READ_ONLY);
  }

  await setReadOnly(false);
  assert.deepEqual(await readiness(), READY);
  assert.equal((await sandbox.order([linkGift()])).status, 201);
  assert.equal((await sandbox.get(`/v1/gifts/${giftId}`)).status, 200);
  assert.equal((await sandbox.put(`/v1/gifts/${giftId}/delivery`, redirected)).status, 200);
  assert.equal((await person.call('GET', path)).status, 200);
});

/** The session stays open, as if PostgreSQL became read-only. */
const onReadOnly = (query: (text: { text: string }) => Promise<unknown>) =>
  query({ text: 'set default_transaction_read_only = on' });

const acts = {
  placement: async () => {
    const { sandbox } = organization;
    return () => sandbox.order([linkGift()]);
  },
  pool: async () => {
    const giftId = await failedGift();
    return () => organization.sandbox.put(`/v1/gifts/${giftId}/delivery`, redirected);
  },
} as const;

for (const [name, prepare] of Object.entries(acts))
  test(`leaves a read-only session of ${name}, and the read session with it`, async () => {
    const { database } = service.service.deps;
    const lane = database.laneOf(organization.organizationUuid);
    const act = await prepare();
    await onReadOnly((text) => database.read.query(text));
    await onReadOnly((text) => lane[name as keyof typeof acts].query(text));
    // An order leaves the session and is placed by the next one.
    assert.equal((await act()).status, name === 'placement' ? 201 : 500);
    const { status, body } = await act();
    assert.ok([200, 201].includes(status), JSON.stringify(body));
    const { rows } = await database.read.query({ text: 'show default_transaction_read_only' });
    assert.deepEqual(rows, [{ default_transaction_read_only: 'off' }]);
  });

test('leaves read-only sessions of the sign-in', async (t) => {
  let signIn: Pool | undefined;
  const { connect } = Pool.prototype;
  const connectAndTell = function (this: Pool, ...asked: Parameters<typeof connect>) {
    if (this.options.application_name === 'bestow portal') signIn = this;
    return connect.apply(this, asked);
  };
  t.mock.method(Pool.prototype, 'connect', connectAndTell as typeof connect);
  const person = await createPortalClient(service, null);
  const askForChallenge = async () => {
    await service.clock.jump(120_000);
    return (await person.call('GET', '/auth/passkey/generate-authenticate-options')).status;
  };
  assert.equal(await askForChallenge(), 200);
  const sessions = Array.from({ length: SIGN_IN_CONNECTIONS });
  await Promise.all(sessions.map(() => onReadOnly(async (text) => signIn?.query(text))));
  assert.equal(await askForChallenge(), 500);
  for (const _ of sessions.slice(1)) await askForChallenge();
  assert.equal(await askForChallenge(), 200);
});

test('reads leave a session that a probe finds read-only; running reads are answered', async () => {
  const { read } = service.service.deps.database;
  await onReadOnly((text) => read.query(text));
  await service.sql('select pg_advisory_lock(1)');
  const before = read.query({ text: 'select pg_advisory_xact_lock(1)' });
  const query = read.query.bind(read);
  const isProbed = Promise.withResolvers<void>();
  read.query = (asked) => {
    if (asked.name === 'database.migrations') isProbed.resolve();
    return query(asked);
  };
  const probed = readiness();
  await isProbed.promise;
  read.query = query;
  const underWay = read.query({ text: 'select pg_sleep(0.3), 7 as answer' });
  await service.sql('select pg_advisory_unlock(1)');
  assert.deepEqual(await probed, READ_ONLY);
  assert.equal((await underWay).rows[0].answer, 7);
  await before;
  assert.deepEqual(await readiness(), READY);
});
