import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceToken } from '../../../src/core/grants/replace-token.ts';
import { revokeGrant } from '../../../src/core/grants/revoke-grant.ts';
import { suspendOrganization } from '../../../src/core/organizations/suspend-organization.ts';
import { parseKey } from '../../../src/platform/authentication/key-format.ts';
import { connectAgent } from '../../harness/agent.ts';
import { everything, grantedAgent, grantOf, statusAndCode } from '../../harness/agent-grant.ts';
import { linkGift } from '../../harness/api-client.ts';
import { openForFile } from '../../harness/open-for-file.ts';
import { OPERATOR } from '../../harness/operator.ts';
import { startTestService } from '../../harness/test-service.ts';

const service = openForFile(() => startTestService());
const HOUR_MS = 3_600_000;

for (const environment of ['live', 'sandbox'] as const)
  test(`a ${environment} token has a form of its own and opens only /mcp`, async () => {
    const organization = await service.organization();
    const { token, hint } = await grantOf(service, organization, { ...everything, reach: 'all', environment });
    assert.match(
      token,
      environment === 'live' ? /^bestow-agent-[0-9A-Za-z]{50}$/ : /^bestow-agent-sandbox-[0-9A-Za-z]{50}$/,
    );
    assert.equal(hint, `${environment === 'live' ? 'bestow-agent-' : 'bestow-agent-sandbox-'}…${token.slice(-4)}`);
    assert.deepEqual([parseKey(token)?.environment, parseKey(token)?.isAgent], [environment, true]);
    assert.deepEqual(await statusAndCode(service, token), [200, undefined]);

    const { body: document } = await service.api().get('/v1/openapi.json');
    let operations = 0;
    for (const [path, methods] of Object.entries<Record<string, { security?: unknown[] }>>(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.security?.length === 0) continue;
        operations += 1;
        const response = await fetch(service.url + path.replaceAll(/\{\w+\}/g, 'gift_01k0fxw4mze6hv3tqx4d5s8r2n'), {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'x' },
          ...(method === 'get' ? {} : { body: '{}' }),
        });
        const { error } = (await response.json()) as { error: { code: string; message: string } };
        assert.deepEqual([response.status, error.code], [401, 'api_key_invalid'], `${method} ${path}`);
        assert.match(error.message, /token of an agent, which is valid at \/mcp only/);
      }
    assert.ok(operations > 25, `${operations}`);
  });

test('a grant ends at its date, when it is revoked, and while the organization is suspended', async () => {
  const organization = await service.organization();
  const { organizationId } = organization;
  const expiresAt = new Date(service.clock.now() + HOUR_MS);
  const dated = await grantOf(service, organization, { expiresAt });
  const lasting = await grantOf(service, organization);
  assert.deepEqual(await statusAndCode(service, dated.token), [200, undefined]);
  await service.clock.jump(HOUR_MS);
  assert.deepEqual(await statusAndCode(service, dated.token), [401, 'api_key_revoked']);
  assert.deepEqual(await statusAndCode(service, lasting.token), [200, undefined]);
  await revokeGrant(service.service.deps, { organizationId, grantId: lasting.grant_id, actor: OPERATOR });
  assert.deepEqual(await statusAndCode(service, lasting.token), [401, 'api_key_revoked']);
  const last = await grantOf(service, organization);
  await suspendOrganization(service.service.deps, { organizationId, actor: OPERATOR });
  assert.deepEqual(await statusAndCode(service, last.token), [200, 'organization_suspended']);
});

test('another token goes on with the same grant, and the earlier one ends after the overlap', async () => {
  const organization = await service.organization();
  const agent = await grantedAgent(service, organization, { ...everything, limits: { life: 3_000 } });
  const placed = await agent.call('place_order', await agent.preview({ gifts: [linkGift(2_000)] }));
  const previewed = await agent.preview({ gifts: [linkGift(1_000)] });
  const { organizationId } = organization;
  const replacement = { organizationId, grantId: agent.grant_id, overlapHours: 1, actor: OPERATOR };
  const { token } = await replaceToken(service.service.deps, replacement);
  const successor = await connectAgent(service.url, token);
  assert.equal((await successor.call('get_order', { order_id: placed.body.order_id })).isError, false);
  const order = await successor.call('place_order', previewed);
  assert.deepEqual((await successor.call('place_order', previewed)).body, order.body);
  const { body } = await successor.call('preview_order', { gifts: [linkGift(1_000)] });
  assert.equal(body.refusal.code, 'not_granted');
  assert.deepEqual(await statusAndCode(service, agent.token), [200, undefined]);
  await service.clock.jump(HOUR_MS);
  assert.deepEqual(
    [await statusAndCode(service, agent.token), await statusAndCode(service, token)],
    [
      [401, 'api_key_revoked'],
      [200, undefined],
    ],
  );
});
