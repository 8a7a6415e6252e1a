import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addIssuer } from '../../src/capabilities/issuers/add-issuer.ts';
import { requestApproval } from '../../src/core/balances/approvals.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import { emailGift, linkGift } from './api-client.ts';
import { ask } from './gift-requests.ts';
import { OPERATOR } from './operator.ts';
import { bodies } from './portal-bodies.ts';
import type { PortalClient } from './portal-client.ts';
import { untilLogged } from './request-log.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** An id of each kind that the portal has in its addresses. */
export interface PortalIds {
  gift_id: string;
  order_id: string;
  key_id: string;
  grant_id: string;
  request_id: string;
  member_id: string;
  session_id: string;
  entry_id: string;
  event_id: string;
  endpoint_id: string;
  contact_id: string;
  template_id: string;
  rule_id: string;
  approval_id: string;
  batch_id: string;
  gift_request_id: string;
  issuer_id: string;
  connection_id: string;
  topup_id: string;
  payment_method_id: string;
  role_id: string;
  team_id: string;
}

/** Well-formed ids that do not exist. */
export const RANDOM_IDS: PortalIds = {
  gift_id: 'gift_01k0fxw4mzejhtt6k1sqh3p5cg',
  order_id: 'ord_01k0fxw4mze6hv3tqx4d5s8r2n',
  key_id: 'key_01k0fxw4mze6hv3tqx4d5s8r2n',
  grant_id: 'grant_01k0fxw4mze6hv3tqx4d5s8r2n',
  request_id: 'req_01k0fxw4mze6hv3tqx4d5s8r2n',
  member_id: 'mem_01k0fxw4mze6hv3tqx4d5s8r2n',
  session_id: '7f3c1c9e-8f1e-4a53-9a58-6d1d7f0f9f10',
  entry_id: 'led_01k0fxw4mze6hv3tqx4d5s8r2n',
  event_id: 'evt_01k0fxw4mze6hv3tqx4d5s8r2n',
  approval_id: 'apr_01k0fxw4mze6hv3tqx4d5s8r2n',
  batch_id: 'batch_01k0fxw4mze6hv3tqx4d5s8r2n',
  gift_request_id: 'ask_01k0fxw4mze6hv3tqx4d5s8r2n',
  issuer_id: 'iss_01k0fxw4mze6hv3tqx4d5s8r2n',
  connection_id: 'V1StGXR8_Z5jdHi6B-myT',
  topup_id: 'top_01k0fxw4mze6hv3tqx4d5s8r2n',
  payment_method_id: 'pm_1',
  role_id: 'role_01k0fxw4mze6hv3tqx4d5s8r2n',
  team_id: 'team_01k0fxw4mze6hv3tqx4d5s8r2n',
  endpoint_id: 'wh_01k0fxw4mze6hv3tqx4d5s8r2n',
  template_id: 'tpl_01k0fxw4mze6hv3tqx4d5s8r2n',
  rule_id: 'rule_01k0fxw4mze6hv3tqx4d5s8r2n',
  contact_id: 'con_01k0fxw4mze6hv3tqx4d5s8r2n',
};

/** One id of each kind in this environment, read from the portal. */
export async function portalIdsOf(
  service: TestService,
  person: PortalClient,
  of: TestOrganization,
  environment: Environment,
): Promise<PortalIds> {
  const { status, body } = await of[environment].order([environment === 'sandbox' ? emailGift('bounced') : linkGift()]);
  assert.equal(status, 201);
  await untilLogged(service, of, environment, 1);
  const at = `/organizations/${of.organizationId}`;
  const latest = async (path: string) => {
    const answer = await person.call('GET', path);
    assert.equal(answer.status, 200, path);
    return answer.body.data.at(path.endsWith('/members') ? -1 : 0);
  };
  const template_id = await templateOf(person, `${at}/${environment}/gift-templates`);
  return {
    gift_id: body.gifts[0].gift_id,
    order_id: body.order_id,
    key_id: (await latest(`${at}/${environment}/keys`)).key_id,
    grant_id: (await person.call('POST', `${at}/${environment}/grants`, bodies['createGrant'])).body.grant_id,
    request_id: (await latest(`${at}/${environment}/requests`)).request_id,
    member_id: (await latest(`${at}/members`)).member_id,
    session_id: (await latest('/sessions')).session_id,
    entry_id: (await latest(`${at}/${environment}/balance/entries`)).entry_id,
    event_id: (await latest(`${at}/${environment}/audit-events`)).event_id,
    approval_id: (await askForFunds(service, of, environment)).approval_id,
    endpoint_id: (await person.call('POST', `${at}/${environment}/webhooks`, bodies['addWebhook'])).body.endpoint_id,
    contact_id: (await person.call('POST', `${at}/${environment}/contacts`, bodies['addContact'])).body.contact_id,
    template_id,
    rule_id: await ruleOf(person, `${at}/${environment}/yearly-rules`, template_id),
    batch_id: await batchOf(person, `${at}/${environment}/batches`),
    gift_request_id: await ask(person, `${at}/${environment}/gift-requests`, linkGift()),
    issuer_id: await issuerOf(service, person, of),
    connection_id: RANDOM_IDS.connection_id,
    topup_id: RANDOM_IDS.topup_id,
    payment_method_id: RANDOM_IDS.payment_method_id,
    role_id: (await person.call('POST', `${at}/roles`, { name: randomUUID(), permissions: ['gifts'] })).body.role_id,
    team_id: (await person.call('POST', `${at}/teams`, { name: randomUUID() })).body.team_id,
  };
}

/** A name is taken once. */
export async function templateOf(person: PortalClient, path: string): Promise<string> {
  const added = await person.call('POST', path, bodies['addGiftTemplate']);
  return added.body.template_id ?? (await person.call('GET', path)).body.data[0].template_id;
}

export async function ruleOf(person: PortalClient, path: string, template_id: string): Promise<string> {
  const added = await person.call('POST', path, { ...bodies['addYearlyRule'], template_id });
  return added.body.rule_id ?? (await person.call('GET', path)).body.data[0].rule_id;
}

async function batchOf(person: PortalClient, path: string): Promise<string> {
  const { batch_id } = (await person.call('POST', path, bodies['createBatch'])).body;
  await person.call('PUT', `${path}/${batch_id}/rows`, bodies['storeRows']);
  return batch_id;
}

/** Returns the organization's issuer, which hands out its own codes. */
async function issuerOf(
  service: TestService,
  person: PortalClient,
  { organizationId, organizationUuid }: TestOrganization,
): Promise<string> {
  const [issuer] = (await person.call('GET', `/organizations/${organizationId}/issuers`)).body.data;
  if (issuer !== undefined) return issuer.issuer_id;
  const chosen = { organizationId: organizationUuid, kind: 'codes', settings: {}, actor: OPERATOR };
  return encodeId('iss', (await addIssuer(service.service.deps, chosen)).issuer_id);
}

/** Members who were there before approve it. */
export async function askForFunds(
  service: TestService,
  { organizationId, organizationUuid }: TestOrganization,
  environment: Environment,
) {
  await service.sql(`update members set created_at = created_at - interval '2 days' where organization_id = $1`, [
    organizationUuid,
  ]);
  return requestApproval(service.service.deps, {
    organizationId,
    environment,
    kind: 'funding',
    amountCents: 1,
    reference: undefined,
    note: undefined,
    actor: OPERATOR,
  });
}
