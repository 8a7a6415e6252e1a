import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { encodeId } from '../src/base/ids.ts';
import { hashKey } from '../src/keys/key-format.ts';
import { revokeKey } from '../src/keys/revoke-key.ts';
import { suspendOrganization } from '../src/organizations/suspend-organization.ts';
import { OPERATOR } from './harness/operator.ts';
import { assertRefused } from './harness/raw-http.ts';
import { startTestService, type TestOrganization, type TestService } from './harness/test-service.ts';

// The service's log («Monitoring»): what it says of a refusal and of a failure. Where it goes: `log-file.test.ts`.

let service: TestService;
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '2' });
});
after(() => service.close());

type Line = Record<string, unknown>;

/** What is logged from now on. */
function logged(t: TestContext, level: 'info'): Line[] {
  const lines: Line[] = [];
  t.mock.method(service.service.deps.log, level, (line: Line) => {
    lines.push(line);
  });
  return lines;
}

async function keyIdOf({ keys }: TestOrganization): Promise<string> {
  const rows = await service.sql<{ key_id: string }>('select key_id from api_keys where hash = $1', [
    hashKey(keys.live),
  ]);
  return encodeId('key', rows[0]?.key_id ?? '');
}

test('a refusal names the key that it refuses, whatever the reason', async (t) => {
  const lines = logged(t, 'info');
  const { deps } = service.service;
  const [limited, revoked, suspended] = [
    await service.organization(),
    await service.organization(),
    await service.organization(),
  ];
  for (let call = 0; call < 2; call += 1) await limited.live.get('/v1/gifts');
  assertRefused(await limited.live.get('/v1/gifts'), 'rate_limit_exceeded');
  const keyId = await keyIdOf(revoked);
  await revokeKey(deps, { organizationId: revoked.organizationId, keyId, actor: OPERATOR });
  assertRefused(await revoked.live.get('/v1/gifts'), 'api_key_revoked');
  await suspendOrganization(deps, { organizationId: suspended.organizationId, actor: OPERATOR });
  assertRefused(await suspended.live.get('/v1/gifts'), 'organization_suspended');
  assertRefused(await service.api('bad').get('/v1/gifts'), 'api_key_invalid');
  assert.deepEqual(
    lines.filter(({ code }) => code !== undefined).map(({ code, key_id }) => [code, key_id]),
    [
      ['rate_limit_exceeded', await keyIdOf(limited)],
      ['api_key_revoked', keyId],
      ['organization_suspended', await keyIdOf(suspended)],
      ['api_key_invalid', undefined],
    ],
  );
});
