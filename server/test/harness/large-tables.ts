import type { Client } from 'pg';
import { fillGifts } from '../../../bench/fill-gifts.ts';
import { setCaps } from '../../src/core/caps/set-caps.ts';
import { createGrant } from '../../src/core/grants/create-grant.ts';
import { type GrantTerms, NO_LIMITS } from '../../src/core/grants/grant.ts';
import { hashKey } from '../../src/platform/authentication/key-format.ts';
import { decodeId } from '../../src/platform/base/ids.ts';
import { addOrganizations } from './many-organizations.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization, TestService } from './test-service.ts';

const OTHER_ORGANIZATIONS = 10_000;
const ORDERS = 25_000;
const DAY_MS = 86_400_000;
const ALL_OF_OWN: GrantTerms = {
  permissions: ['links', 'order', 'manage', 'events'],
  reach: 'own',
  recipient_domains: null,
  members_only: false,
  categories: null,
};

/** Ids and hashes of one gift of the middle, its order and its key. */
export type Sample = Record<
  'order_id' | 'gift_id' | 'failed_gift_id' | 'key_id' | 'hash' | 'idempotency_key' | 'fingerprint',
  string
>;

/**
 * Fills the tables as a large installation has them: many organizations, and one with many orders, whose oldest an agent
 * placed.
 *
 * @returns the hash of the agent's token, and a gift to look for
 */
export async function fillLargeTables(
  service: TestService,
  sql: Client,
  { organizationId: encoded, organizationUuid: organizationId }: TestOrganization,
): Promise<{ agentHash: string; sample: Sample }> {
  await addOrganizations(sql, OTHER_ORGANIZATIONS);
  const nowMs = service.clock.now();
  await setCaps(service.service.deps, {
    organizationId: encoded,
    environment: 'sandbox',
    actor: OPERATOR,
    amounts: { hour: 1_000_000, day: 1_000_000 },
  });
  await fillGifts(sql, {
    organizationId,
    environment: 'sandbox',
    orders: ORDERS,
    fromMs: nowMs - 30 * DAY_MS,
    toMs: nowMs - 1,
  });
  const agent = await createGrant(service.service.deps, {
    organizationId: encoded,
    environment: 'sandbox',
    name: 'Assistant',
    actor: OPERATOR,
    terms: ALL_OF_OWN,
    limits: NO_LIMITS,
    expiresAt: undefined,
  });
  const grantId = decodeId('grant', agent.grant_id);
  await sql.query(`alter table orders disable trigger orders_keep_their_grant;
    alter table gifts disable trigger gifts_keep_their_grant`);
  // The oldest orders, so that a page would read all others first.
  await sql.query(
    'update orders set grant_id = $1 where ctid in (select ctid from orders order by order_id limit 200)',
    [grantId],
  );
  await sql.query(
    `update gifts g set grant_id = o.grant_id from orders o
     where o.organization_id = g.organization_id and o.order_id = g.order_id and o.grant_id is not null`,
  );
  await sql.query(
    `insert into gift_requests (organization_id, environment, request_id, order_key, grant_id, amount_cents, state,
       created_at, decided_at)
     select $1, 'sandbox', gen_random_uuid(), 'asked ' || n, $2, 2500, 'declined', $3, $3
     from generate_series(1, 5000) n`,
    [organizationId, grantId, new Date(nowMs)],
  );
  await sql.query(
    `insert into previewed_orders (organization_id, environment, token, first_key_id, purchase, expires_at)
     select $1, 'sandbox', 'previewed ' || n, gen_random_uuid(), '{}', $2 from generate_series(1, 5000) n`,
    [organizationId, new Date(nowMs)],
  );
  const metadata = `metadata = jsonb_build_object('order', order_id)`;
  await sql.query(`update gifts set ${metadata}; update orders set ${metadata}`);
  await sql.query(`insert into issuers (organization_id, issuer_id, kind, settings, created_at)
    select organization_id, gen_random_uuid(), 'codes', 'sealed', now() from organizations`);
  await sql.query('analyze');
  const { rows } = await sql.query(
    `select g.order_id, g.gift_id, k.key_id, encode(k.hash, 'hex') as hash,
       o.idempotency_key, encode(o.fingerprint, 'hex') as fingerprint,
       (select f.gift_id from gifts f where f.organization_id = $1 and f.delivery_state = 'failed' limit 1) as failed_gift_id
     from gifts g join orders o on o.organization_id = g.organization_id and o.order_id = g.order_id
     join api_keys k on k.organization_id = g.organization_id and k.environment = g.environment
     where g.organization_id = $1 and g.environment = 'sandbox' order by g.gift_id offset $2 limit 1`,
    [organizationId, ORDERS],
  );
  return { agentHash: hashKey(agent.token).toString('hex'), sample: rows[0] };
}
