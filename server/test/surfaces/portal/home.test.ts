import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from 'pg';
import type { OrganizationQuery } from '../../../src/platform/database/statement.ts';
import { resetSignIn } from '../../../src/surfaces/portal/sign-in/reset-sign-in.ts';
import { createHomeTasks, createTasks } from '../../../src/surfaces/process/create-tasks.ts';
import { linkGift } from '../../harness/api-client.ts';
import { eventsOf } from '../../harness/audit-log.ts';
import { workUntil } from '../../harness/mail-server.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { allowConnections } from '../../harness/test-database.ts';
import { startTestService } from '../../harness/test-service.ts';

// People are in another database than organizations (HOME_DATABASE_URL).

const service = openForFile(() => startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000' }, true));
const organization = openForFile(() => service.organization());

const ADMIN = 'admin@example.com';

const count = async (database: Pool, table: string) => {
  const asked: OrganizationQuery = { text: `select count(*) from ${table}`, organizations: '*' };
  return Number((await database.query(asked)).rows[0].count);
};

test('people sign in, invite, work and sign out on a separate database', async () => {
  const admin = await createPortalClient(service, ADMIN);
  const path = `/organizations/${organization.organizationId}`;
  const invited = await admin.call('POST', `${path}/members`, { email: 'bob@example.com', role: 'member' });
  assert.equal(invited.status, 200, JSON.stringify(invited.body));
  const bob = await createPortalClient(service, 'bob@example.com');
  assert.equal((await bob.call('POST', `/invitations/${organization.organizationId}/accept`)).status, 204);
  assert.equal((await bob.call('GET', `${path}/members`)).status, 200);
  const sent = async () => (await service.sql(`select from portal.codes where state = 'sent'`)).length > 0;
  await workUntil(service, sent, 'the code is sent');
  const key = await admin.call('POST', `${path}/sandbox/keys`, { name: 'Shop' });
  assert.equal(key.status, 200, JSON.stringify(key.body));

  const { shards, home } = service.service.deps.database;
  const tables = ['portal.users', 'portal.sessions', 'members', 'organizations', 'audit_events'];
  const counts = async (database: Pool) => Promise.all(tables.map(async (table) => (await count(database, table)) > 0));
  assert.deepEqual(await counts(home), [true, true, false, false, false]);
  assert.deepEqual(await counts(shards[0] ?? assert.fail()), [false, false, true, true, true]);

  const { body: sessions } = await bob.call('GET', '/sessions');
  assert.equal((await bob.call('DELETE', `/sessions/${sessions.data[0].session_id}`)).status, 204);
  assert.equal((await bob.call('GET', '/me')).status, 401);
  const deactivated = await admin.call('POST', `${path}/members/${invited.body.member_id}/deactivate`);
  assert.equal(deactivated.status, 200);
  assert.equal((await admin.call('POST', '/auth/sign-out', {})).status, 200);
  assert.equal(await count(home, 'portal.sessions'), 0);
});

test('a reset of a sign-in that stopped halfway is finished by repeating it', async () => {
  await createPortalClient(service, ADMIN);
  const { deps } = service.service;
  const { organizationId, memberId } = organization;
  const change = { organizationId, memberId, actor: OPERATOR };
  const resets = async () => (await eventsOf(service, organizationId, { action: 'member.sign_in_reset' })).length;
  const people = () => service.sql(`select 1 from portal.users where email = '${ADMIN}'`);

  await service.sql(`create function portal.fail() returns trigger language plpgsql as $$begin raise 'lost'; end$$`);
  await service.sql('create trigger fail before delete on portal.users execute function portal.fail()');
  await assert.rejects(resetSignIn(deps, change), /lost/);
  assert.deepEqual([await resets(), (await people()).length], [1, 1], 'recorded, not done');
  await service.sql('drop function portal.fail cascade');
  await resetSignIn(deps, change);
  assert.deepEqual([await resets(), await people()], [2, []]);
  await resetSignIn(deps, change);
  assert.equal(await resets(), 2, 'nothing is left to reset');
});

test('a change of a sign-in that a crash left unrecorded is recorded later, once', async () => {
  const { deps } = service.service;
  const [tasks] = createTasks(deps, { email: undefined, phone: undefined, notice: undefined });
  const { everyMinute } = createHomeTasks(deps, tasks ?? assert.fail());
  const [person, other] = [await createPortalClient(service, ADMIN), await createPortalClient(service, ADMIN)];
  const [{ session_id: id }] = (await other.call('GET', '/sessions')).body.data.filter(
    ({ is_this_one }: { is_this_one: boolean }) => is_this_one,
  );
  const events = async () =>
    (await service.sql(`select event from portal.events where event not like 'signed_in%'`)).map(({ event }) => event);

  await service.sql(`create function portal.fail() returns trigger language plpgsql as $$begin raise 'lost'; end$$`);
  await service.sql(`create trigger fail before insert on portal.events for each row execute function portal.fail()`);
  assert.equal((await person.call('DELETE', `/sessions/${id}`)).status, 204);
  assert.equal((await other.call('GET', '/me')).status, 401);
  await service.clock.jump(6 * 60_000);
  await assert.rejects(everyMinute(), /lost/);
  await service.sql('drop function portal.fail cascade');
  assert.deepEqual(await events(), []);
  // A crash before the library's call leaves this.
  await service.sql(`insert into portal.changes (change_id, user_id, email, change, address, state_before, created_at)
    select gen_random_uuid(), id, email, 'passkey_added', '127.0.0.1', '', '2026-01-01' from portal.users`);
  await everyMinute();
  await everyMinute();
  assert.deepEqual(await events(), ['session_ended']);
  assert.deepEqual(await service.sql('select from portal.changes'), []);
});

test('orders go on while the database of people is down; the portal does not', async () => {
  const person = await createPortalClient(service, ADMIN);
  await allowConnections(service.homeTarget, false);
  await service.sql(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = $1 and application_name = 'bestow portal'`,
    [service.homeTarget.database],
  );
  try {
    assert.equal((await organization.live.order([linkGift()])).status, 201);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.ok((await person.call('GET', '/me')).status >= 500);
  } finally {
    await allowConnections(service.homeTarget, true);
  }
  assert.equal((await person.call('GET', '/me')).status, 200);
});
