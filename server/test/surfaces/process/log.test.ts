import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { revokeKey } from '../../../src/core/keys/revoke-key.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { presentError } from '../../../src/platform/installation/create-log.ts';
import { keyIdOf } from '../../harness/key-id.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { createPortalClient } from '../../harness/portal-client.ts';
import { assertRefused } from '../../harness/raw-http.ts';
import { startTestService, type TestOrganization } from '../../harness/test-service.ts';

// The content of the service's log (docs/monitoring.md).

const service = openForFile(() => startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '2' }));

type Line = Record<string, unknown>;

/** Collects log lines from now on. */
function logged(t: TestContext, level: 'info' | 'error'): Line[] {
  const lines: Line[] = [];
  t.mock.method(service.service.deps.log, level, (line: Line) => {
    lines.push(line);
  });
  return lines;
}

const liveKeyId = ({ keys }: TestOrganization) => keyIdOf(service, keys.live);

test('the log line of a refusal names the key', async (t) => {
  const lines = logged(t, 'info');
  const { deps } = service.service;
  const [limited, revoked, suspended] = [
    await service.organization(),
    await service.organization(),
    await service.organization(),
  ];
  for (let call = 0; call < 2; call += 1) await limited.live.get('/v1/gifts');
  assertRefused(await limited.live.get('/v1/gifts'), 'rate_limit_exceeded');
  const keyId = await liveKeyId(revoked);
  await revokeKey(deps, { organizationId: revoked.organizationId, keyId, actor: OPERATOR });
  assertRefused(await revoked.live.get('/v1/gifts'), 'api_key_revoked');
  await suspendOrganization(deps, { organizationId: suspended.organizationId, actor: OPERATOR });
  assertRefused(await suspended.live.get('/v1/gifts'), 'organization_suspended');
  assertRefused(await service.api('bad').get('/v1/gifts'), 'api_key_invalid');
  assert.deepEqual(
    lines.filter(({ code }) => code !== undefined).map(({ code, key_id }) => [code, key_id]),
    [
      // Beyond the limit, the key is not looked up.
      ['rate_limit_exceeded', undefined],
      ['api_key_revoked', keyId],
      ['organization_suspended', await liveKeyId(suspended)],
      ['api_key_invalid', undefined],
    ],
  );
});

test('portal refusals are logged with their code and carry Retry-After', async (t) => {
  const lines = logged(t, 'info');
  const anonymous = await createPortalClient(service, null);
  const tryIt = () => anonymous.call('POST', '/auth/sign-in/email-otp', { email: 'eve@example.com', otp: '000000' });
  assert.equal((await anonymous.call('GET', '/me')).status, 401);
  for (let call = 0; call < 10; call += 1) assert.equal((await tryIt()).status, 400);
  const refused = await tryIt();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10']);
  await service.clock.jump(10_000);
  assert.equal((await tryIt()).status, 400);
  const codes = lines.filter(({ status }) => Number(status) >= 400).map(({ code }) => code);
  assert.deepEqual(codes, ['sign_in_required', ...Array(10).fill('INVALID_OTP'), 'too_many_tries', 'INVALID_OTP']);
});

/** Twenty times the number that is read at a time. */
const ENTRIES = 5_000;

test('a failed export is logged; an export whose reader leaves is not', async (t) => {
  const { organizationId, organizationUuid } = await service.organization({ sandbox: 0 });
  await service.sql(
    `insert into ledger_entries
       (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, created_at)
     select $1, 'sandbox', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'funding', 1, n, now()
     from generate_series(1, ${ENTRIES}) n`,
    [organizationUuid],
  );
  // Otherwise the first page may read all rows.
  await service.sql('analyze ledger_entries');
  const admin = await createPortalClient(service, 'admin@example.com');
  const path = `/organizations/${organizationId}/sandbox/balance/entries.csv`;
  const lines = logged(t, 'error');
  const gone = new AbortController();
  const headers = { cookie: admin.cookie() };
  const { app } = service.service;
  const isOver = new Promise((resolve) => {
    app.server.once('request', (_, response) => response.once('close', resolve));
  });
  const begun = await fetch(`${service.url}/portal/api${path}`, { headers, signal: gone.signal });
  assert.equal(begun.status, 200);
  gone.abort();
  // A reader that is still connected would cause a log line too.
  await isOver;

  // The last page cannot be read.
  await service.sql(`alter view limited.ledger_entries rename to readable_entries;
    create view limited.ledger_entries as select * from limited.readable_entries
    where balance_after_cents <> 1 or 1 / (amount_cents - amount_cents) > 0`);
  await assert.rejects(admin.call('GET', path));
  await service.sql(`drop view limited.ledger_entries;
    alter view limited.readable_entries rename to ledger_entries`);
  assert.deepEqual(
    lines.map(({ err, request_id }) => [(err as Error).message, typeof request_id]),
    [['division by zero', 'string']],
  );
});

test('an error that a library copied is logged with its message and code', () => {
  const copied = { message: 'the database system is shutting down', code: '57P03', queue: 'send-email' };
  const { message, code } = presentError(copied) as Record<string, unknown>;
  assert.deepEqual([message, code], [copied.message, copied.code]);
  assert.doesNotMatch(String(presentError({ queue: 'send-email' })), /object Object/);
});
