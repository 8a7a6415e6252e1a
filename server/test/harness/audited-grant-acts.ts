import { createGrant } from '../../src/core/grants/create-grant.ts';
import { NO_LIMITS } from '../../src/core/grants/grant.ts';
import { replaceToken } from '../../src/core/grants/replace-token.ts';
import { revokeGrant } from '../../src/core/grants/revoke-grant.ts';
import { setLimits } from '../../src/core/grants/set-limits.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

const create = (deps: AllDeps, { organizationId }: TestOrganization, actor: Actor) =>
  createGrant(deps, {
    organizationId,
    environment: 'live',
    name: 'Assistant',
    expiresAt: undefined,
    actor,
    terms: { permissions: ['order'], reach: 'own', recipient_domains: null, members_only: false, categories: null },
    limits: { ...NO_LIMITS, order: 5_000, day: 20_000, ask_above: 2_000 },
  });

const prepare = async (deps: AllDeps, organization: TestOrganization) =>
  (await create(deps, organization, OPERATOR)).grant_id;

/** The acts on grants of agents. */
export const auditedGrantActs = {
  'grant.created': {
    act: create,
    target: 'grant_',
    environment: 'live',
    sentence:
      'Granted the agent “Assistant” reading, order (its own orders), at most 50.00 USD an order, 200.00 USD a day, asks a person above 20.00 USD',
    isRepeatable: true,
  },
  'grant.token_replaced': {
    prepare,
    act: (deps, { organizationId }, actor, grantId) =>
      replaceToken(deps, { organizationId, grantId, overlapHours: 1, actor }),
    target: 'prepared',
    environment: 'live',
    sentence: 'Replaced the token of the agent “Assistant” with an overlap of 1 hour',
    isRepeatable: true,
  },
  'grant.limits_set': {
    prepare,
    act: (deps, { organizationId }, actor, grantId) =>
      setLimits(deps, {
        organizationId,
        environment: 'live',
        grantId,
        limits: { day: null, life: 100_000, ask_above: 0 },
        actor,
      }),
    target: 'prepared',
    environment: 'live',
    sentence:
      'Limited the agent “Assistant”: at most 50.00 USD an order, 1,000.00 USD in all, asks a person for each order',
  },
  'grant.revoked': {
    prepare,
    act: (deps, { organizationId }, actor, grantId) => revokeGrant(deps, { organizationId, grantId, actor }),
    target: 'prepared',
    environment: 'live',
    sentence: 'Revoked the grant of the agent “Assistant”',
  },
} satisfies { [Name in Action & `grant.${string}`]: AuditedAct };
