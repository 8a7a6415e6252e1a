import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { Connection } from 'pg';
import { revokeKey } from '../../src/core/keys/revoke-key.ts';
import { createKey } from '../../src/platform/authentication/key-format.ts';
import { keyIdOf } from '../harness/key-id.ts';
import { openForFile } from '../harness/open-for-file.ts';
import { OPERATOR } from '../harness/operator.ts';
import { codeOf, createPortalClient } from '../harness/portal-client.ts';
import { until } from '../harness/server-process.ts';
import { startTestService } from '../harness/test-service.ts';

// All keys and all addresses cost the same statements, so the time of an answer reveals nothing.

const service = openForFile(() => startTestService());
const organization = openForFile(() => service.organization());
before(() => organization.addMembers());

/** Lists the statements that this process sends to PostgreSQL: names, or texts of those without a name. */
function recordStatements(t: TestContext): string[] {
  const statements: string[] = [];
  const { parse, bind, query } = Connection.prototype;
  t.mock.method(Connection.prototype, 'parse', function (this: Connection, ...[asked, more]: Parameters<typeof parse>) {
    if (!asked.name) statements.push(asked.text);
    return parse.call(this, asked, more);
  });
  t.mock.method(Connection.prototype, 'bind', function (this: Connection, ...[asked, more]: Parameters<typeof bind>) {
    if (asked?.statement) statements.push(asked.statement);
    return bind.call(this, asked, more);
  });
  t.mock.method(Connection.prototype, 'query', function (this: Connection, text: string) {
    statements.push(text);
    return query.call(this, text);
  });
  return statements;
}

test('unknown, revoked and valid keys cost one look-up each', async (t) => {
  const revoked = await organization.newKey('live');
  const { organizationId, organizationUuid } = organization;
  await revokeKey(service.service.deps, { organizationId, keyId: await keyIdOf(service, revoked), actor: OPERATOR });
  const statements = recordStatements(t);
  // Refused after the look-up: a live key cannot reset.
  const costOf = async (key: string, status: number) => {
    statements.length = 0;
    assert.equal((await service.api(key).post('/v1/sandbox/reset')).status, status);
    return [...statements];
  };
  const valid = await costOf(organization.keys.live, 403);
  assert.equal(valid.length, 1);
  assert.deepEqual(await costOf(revoked, 401), valid);
  assert.deepEqual(await costOf(createKey('live', organizationUuid), 401), valid);
});

const KNOWN = 'member@example.com';
const UNKNOWN = 'unknown@example.com';

const ask = async (client: Awaited<ReturnType<typeof createPortalClient>>, email: string) => {
  const asked = { email, type: 'sign-in' };
  const { status, body } = await client.call('POST', '/auth/email-otp/send-verification-otp', asked);
  assert.deepEqual([status, body], [200, { success: true }]);
};

/** Waits until nothing of an asked code is sent any more, which the next recording would see. */
const untilLookedUp = (email: string, statements: readonly string[]) =>
  email === KNOWN
    ? codeOf(service, email)
    : until(() => statements.includes('operators.select_is_one'), 'the look-up has ended');

test('whether an address is known is looked up after the answer', async (t) => {
  t.after(() => service.sql('rollback'));
  const statements = recordStatements(t);
  for (const email of [KNOWN, UNKNOWN]) {
    const client = await createPortalClient(service, null);
    await service.sql('begin');
    await service.sql('lock table members in access exclusive mode');
    await ask(client, email);
    const waiting = `select from pg_locks where relation = 'members'::regclass and not granted`;
    await until(async () => (await service.sql(waiting)).length > 0, 'the look-up waits after the answer');
    await service.sql('rollback');
    await untilLookedUp(email, statements);
  }
});

for (const [when, isAsked] of [
  ['without asking for one', false],
  ['after asking for one', true],
] as const)
  test(`a wrong code ${when} costs every address the same`, async (t) => {
    const statements = recordStatements(t);
    const costOf = async (email: string) => {
      await service.clock.jump(120_000);
      const client = await createPortalClient(service, null);
      if (isAsked) {
        await service.sql('delete from portal.codes');
        statements.length = 0;
        await ask(client, email);
        await untilLookedUp(email, statements);
      }
      statements.length = 0;
      const { status } = await client.call('POST', '/auth/sign-in/email-otp', { email, otp: '000000' });
      assert.equal(status, 400);
      // Sent if the connection served another caller before.
      return statements.filter((statement) => statement !== 'database.name_organizations');
    };
    const known = await costOf(KNOWN);
    assert.equal(known.includes('sign_in_failures.reserve'), isAsked);
    assert.deepEqual(await costOf(UNKNOWN), known);
  });
