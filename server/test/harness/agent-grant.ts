import { createGrant } from '../../src/core/grants/create-grant.ts';
import { type GrantLimits, type GrantTerms, NO_LIMITS } from '../../src/core/grants/grant.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { type Agent, connectAgent } from './agent.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization, TestService } from './test-service.ts';

interface Wish extends Partial<GrantTerms> {
  limits?: Partial<GrantLimits>;
  environment?: Environment;
  expiresAt?: Date;
}

export const everything = { permissions: ['links', 'order', 'manage', 'events'], reach: 'own' } as const;

/** Creates a grant; by default one that only reads what it ordered, in the sandbox. */
export async function grantOf(
  { service: { deps } }: TestService,
  { organizationId }: TestOrganization,
  { limits, environment = 'sandbox', expiresAt, ...terms }: Wish = {},
) {
  return createGrant(deps, {
    organizationId,
    environment,
    name: 'Assistant',
    expiresAt,
    actor: OPERATOR,
    terms: {
      permissions: [],
      reach: 'own',
      recipient_domains: null,
      members_only: false,
      categories: null,
      ...terms,
    },
    limits: { ...NO_LIMITS, ...limits },
  });
}

/** An agent with a new grant, by the protocol's official client. */
export async function grantedAgent(
  service: TestService,
  organization: TestOrganization,
  wish: Wish = {},
): Promise<Agent & Awaited<ReturnType<typeof grantOf>>> {
  const grant = await grantOf(service, organization, wish);
  return { ...(await connectAgent(service.url, grant.token)), ...grant };
}

/** The status and the error's code of a message to `/mcp` with this token. */
export async function statusAndCode({ url }: TestService, token: string): Promise<[number, string | undefined]> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_balance' } }),
  });
  const text = await response.text();
  const answer = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  const { error } = answer.result === undefined ? answer : JSON.parse(answer.result.content[0].text);
  return [response.status, error?.code];
}
