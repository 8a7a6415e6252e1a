import assert from 'node:assert/strict';
import type { GrantLimits } from '../../src/core/grants/grant.ts';
import { setLimits } from '../../src/core/grants/set-limits.ts';
import type { Agent } from './agent.ts';
import { everything, grantedAgent } from './agent-grant.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** An agent of the sandbox that asks a person above an amount. */
export const askingAgent = (
  service: TestService,
  organization: TestOrganization,
  askAbove: number | null = 2_000,
  more: Parameters<typeof grantedAgent>[2] = {},
) => grantedAgent(service, organization, { ...everything, ...more, limits: { ask_above: askAbove } });

export const limit = (
  { service: { deps } }: TestService,
  { organizationId }: TestOrganization,
  { grant_id: grantId }: { grant_id: string },
  limits: Partial<GrantLimits>,
) => setLimits(deps, { organizationId, environment: 'sandbox', actor: OPERATOR, grantId, limits });

/** Previews and places an order that must wait. */
export async function askFor(agent: Agent, gifts: object[], more: object = {}) {
  const given = await agent.preview({ gifts, ...more });
  const { body } = await agent.call('place_order', given);
  assert.equal(body.status, 'waiting_for_approval', JSON.stringify(body));
  return { given, id: body.order_request_id as string, body };
}

export const ordersWith = (service: TestService, { preview_token }: { preview_token: string }) =>
  service.sql<{ grant_id: string; member_id: string }>(
    'select grant_id, member_id from orders where idempotency_key = $1',
    [preview_token],
  );
