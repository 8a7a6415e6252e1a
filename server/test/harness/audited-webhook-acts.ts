import { addEndpoint } from '../../src/capabilities/webhooks/add-endpoint.ts';
import { editEndpoint, removeEndpoint } from '../../src/capabilities/webhooks/edit-endpoint.ts';
import { enableEndpoint } from '../../src/capabilities/webhooks/enable-endpoint.ts';
import { rotateSecret } from '../../src/capabilities/webhooks/rotate-secret.ts';
import { admitted } from '../../src/platform/authentication/caller.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

const callerOf = ({ organizationUuid }: TestOrganization) =>
  admitted({ organizationId: organizationUuid, environment: 'live' });

const add = (deps: AllDeps, organization: TestOrganization, actor: Actor) =>
  addEndpoint(deps, {
    caller: callerOf(organization),
    input: { url: 'https://shop.example/in?token=secret', description: null, types: null, isOrdered: false },
    actor,
  });

const prepare = async (deps: AllDeps, organization: TestOrganization) =>
  encodeId('wh', (await add(deps, organization, OPERATOR)).endpoint.endpoint_id);

const changeOf = (organization: TestOrganization, actor: Actor, id: string) => ({
  caller: callerOf(organization),
  endpointId: decodeId('wh', id) ?? '',
  actor,
});

const ofPrepared = { prepare, target: 'prepared', environment: 'live' } as const;

/** The acts on webhook endpoints. */
export const auditedWebhookActs = {
  'webhook.added': {
    act: add,
    target: 'wh_',
    environment: 'live',
    sentence: 'Added the webhook endpoint https://shop.example/in',
    isRepeatable: true,
  },
  'webhook.changed': {
    ...ofPrepared,
    act: (deps, organization, actor, id) => editEndpoint(deps, changeOf(organization, actor, id), { isOrdered: true }),
    sentence: 'Changed the webhook endpoint https://shop.example/in',
    isRepeatable: true,
  },
  'webhook.secret_rotated': {
    ...ofPrepared,
    act: (deps, organization, actor, id) => rotateSecret(deps, changeOf(organization, actor, id), 1),
    sentence: 'Replaced the secret of the webhook endpoint https://shop.example/in with an overlap of 1 hour',
    isRepeatable: true,
  },
  'webhook.disabled': {
    ...ofPrepared,
    act: (deps, organization, actor, id) =>
      editEndpoint(deps, changeOf(organization, actor, id), { status: 'disabled' }),
    sentence: 'Switched off the webhook endpoint https://shop.example/in',
  },
  'webhook.enabled': {
    ...ofPrepared,
    act: (deps, organization, actor, id) => enableEndpoint(deps, changeOf(organization, actor, id), 1),
    sentence: 'Switched on the webhook endpoint https://shop.example/in from event 1 on',
    isRepeatable: true,
  },
  'webhook.removed': {
    ...ofPrepared,
    act: (deps, organization, actor, id) => removeEndpoint(deps, changeOf(organization, actor, id)),
    sentence: 'Removed the webhook endpoint https://shop.example/in',
  },
} satisfies { [Name in Action & `webhook.${string}`]: AuditedAct };
