import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { MemberPermission } from '../../src/platform/authentication/permissions.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { encodeId } from '../../src/platform/base/ids.ts';
import type { PortalAnswer, PortalClient } from './portal-client.ts';
import type { TestOrganization, TestService } from './test-service.ts';

/** Robin’s day, on which rules send to whoever has it. */
const DAY = '11-29';
/** The hour of the rules on that day. */
export const ON_THE_DAY = Date.parse('2026-11-29T09:00:00Z');
/** What Robin tries to get. */
const GREED_CENTS = 50_000;
export const MEANT_CENTS = 2_500;

/** An organization with an admin’s rules, and Robin, who has an own role. */
export interface Ground {
  organization: TestOrganization;
  environment: Environment;
  permissions: readonly MemberPermission[];
  /** The portal’s path in the environment. */
  at: string;
  /** Ids of what the admin made. */
  made: {
    ofSending: string;
    ofAsking: string;
    sending: string;
    asking: string;
    skipping: string;
    meant: string;
    skipped: string;
  };
}

export const rule = (name: string, tag: string, template_id: string, mode: 'sends' | 'approval') => ({
  name,
  tag,
  template_id,
  mode,
  occasion: 'birthday',
  time_zone: 'UTC',
  hour: 9,
  yearly_limit: mode === 'sends' ? 10_000_000 : null,
  is_paused: false,
});

const template = (name: string, amount: number) => ({
  name,
  amount,
  category: 'coffee',
  sender_name: null,
  message: null,
  language: null,
});

export const person = (name: string, tag: string) => ({
  delivery: { method: 'email', email: `${name}@example.com` },
  name,
  tags: [tag],
  birthday: DAY,
});

const giftTo = (name: string) => ({
  amount: GREED_CENTS,
  category: 'coffee',
  delivery: { method: 'email', email: `${name}@example.com` },
});

async function done(answer: Promise<PortalAnswer>) {
  const { status, body } = await answer;
  assert.ok(status === 200 || status === 204, JSON.stringify(body));
  return body;
}

/** Makes an organization with one rule that sends and one that asks, each to one contact, and one who is skipped. */
export async function makeGround(
  service: TestService,
  admin: PortalClient,
  robin: string,
  [environment, permissions]: readonly [Environment, readonly MemberPermission[]],
): Promise<Ground> {
  const organization = await service.organization();
  const { organizationId, organizationUuid } = organization;
  const { ids } = service.service.deps;
  const roleId = ids.next();
  await service.sql(
    `insert into custom_roles (organization_id, role_id, name, permissions, created_at) values ($1, $2, 'Own', $3, now())`,
    [organizationUuid, roleId, permissions],
  );
  await service.sql(
    `insert into members (organization_id, member_id, email, role, custom_role_id, created_at)
     values ($1, $2, $3, 'custom', $4, now())`,
    [organizationUuid, ids.next(), robin, roleId],
  );
  const at = `/organizations/${organizationId}/${environment}`;
  const post = (path: string, body: object) => done(admin.call('POST', `${at}${path}`, body));
  await done(admin.call('PUT', `/organizations/${organizationId}/gift-request-policy`, { is_allowed: true }));
  const { template_id: ofSending } = await post('/gift-templates', template('Sent', MEANT_CENTS));
  const { template_id: ofAsking } = await post('/gift-templates', template('Asked', MEANT_CENTS));
  const { rule_id: sending } = await post('/yearly-rules', rule('Sends', 'sent', ofSending, 'sends'));
  const { rule_id: asking } = await post('/yearly-rules', rule('Asks', 'asked', ofAsking, 'approval'));
  const { rule_id: skipping } = await post('/yearly-rules', rule('Skips', 'skipped', ofSending, 'sends'));
  const { contact_id: meant } = await post('/contacts', person('grace', 'sent'));
  const { contact_id: skipped } = await post('/contacts', person('skipped', 'skipped'));
  await post('/contacts', person('henry', 'asked'));
  const skip = { rule_id: skipping, contact_id: skipped, year: 2026, is_skipped: true };
  await done(admin.call('PUT', `${at}/yearly-gifts/skips`, skip));
  const made = { ofSending, ofAsking, sending, asking, skipping, meant, skipped };
  return { organization, environment, permissions, at, made };
}

/** All ways to an order for themselves that a member could try, one after another; what is refused stops none. */
export async function tryEverything(robin: PortalClient, { at, made, environment }: Ground): Promise<void> {
  const form_id = randomUUID;
  const call = (method: string, path: string, body?: object) => robin.call(method, `${at}${path}`, body);
  const approve = async ({ body }: PortalAnswer) =>
    body.gift_request_id === undefined ? body : call('POST', `/gift-requests/${body.gift_request_id}/approve`);
  await call('POST', '/orders', { form_id: form_id(), gifts: [giftTo('robin.order')] });
  await approve(await call('POST', '/gift-requests', { form_id: form_id(), gift: giftTo('robin.asked') }));
  await approve(await call('POST', '/gift-requests/orders', { form_id: form_id(), gifts: [giftTo('robin.held')] }));
  const { body: draft } = await call('POST', '/batches', { form_id: form_id(), name: 'me.csv', rows: 1 });
  const batch = draft.batch_id ?? 'x';
  await call('PUT', `/batches/${batch}/rows`, { first_row: 1, rows: [giftTo('robin.file')] });
  const seen = { amount: GREED_CENTS, accepts_duplicates: true };
  await approve(await call('POST', '/gift-requests/batches', { form_id: form_id(), batch_id: batch, ...seen }));
  await call('POST', `/batches/${batch}/start`, seen);
  // What the admin’s rules send, and to whom.
  for (const [name, id] of [
    ['Sent', made.ofSending],
    ['Asked', made.ofAsking],
  ] as const)
    await call('PUT', `/gift-templates/${id}`, template(name, GREED_CENTS));
  await call('POST', '/contacts', person('robin.sent', 'sent'));
  await call('POST', '/contacts', person('robin.asked.for', 'asked'));
  await call('POST', '/contacts/import', { rows: [person('robin.imported', 'sent')] });
  await call('PUT', `/contacts/${made.meant}`, person('robin.changed', 'sent'));
  const skip = { rule_id: made.skipping, contact_id: made.skipped, year: 2026, is_skipped: false };
  await call('PUT', '/yearly-gifts/skips', skip);
  // Own rules, and the admin’s.
  const { body: own } = await call('POST', '/gift-templates', template(`Own ${environment}`, GREED_CENTS));
  await call('POST', '/contacts', person('robin.own', 'own'));
  for (const mode of ['sends', 'approval'] as const)
    await call('POST', '/yearly-rules', rule(`Own ${mode}`, 'own', own.template_id ?? 'x', mode));
  await call('PUT', `/yearly-rules/${made.asking}`, rule('Asks', 'own', own.template_id ?? 'x', 'sends'));
}

/** Approves all that waits, as far as the role allows. */
export async function approveEverything(
  service: TestService,
  robin: PortalClient,
  { at, organization, environment }: Ground,
): Promise<void> {
  const waiting = await service.sql<{ request_id: string }>(
    `select request_id from gift_requests where organization_id = $1 and environment = $2 and state = 'open'`,
    [organization.organizationUuid, environment],
  );
  for (const { request_id } of waiting)
    await robin.call('POST', `${at}/gift-requests/${encodeId('ask', request_id)}/approve`);
}

/** What was bought: `address amount sender`, sorted. */
export async function boughtOn(service: TestService, { organization, environment }: Ground): Promise<string[]> {
  const rows = await service.sql<{ bought: string }>(
    `select concat_ws(' ', g.address, g.amount_cents, split_part(m.email, '@', 1)) as bought
     from gifts g left join members m on m.organization_id = $1 and m.member_id = g.sender_member_id
     where g.organization_id = $1 and g.environment = $2 order by 1`,
    [organization.organizationUuid, environment],
  );
  return rows.map(({ bought }) => bought);
}
