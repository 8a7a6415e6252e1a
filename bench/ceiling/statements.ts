/**
 * SQL of the ceiling: the rows of one order, and the reads, for pgbench (`:name`) and prepared statements (`$1`). Every
 * gift goes by email and has a delivery. The driver already knows organization, key and member; the service checks them.
 */

export const GIFT_CENTS = 2_500;
export const CATEGORY = 'coffee';

/** How a driver names the values of its organization. */
export interface Names {
  organizationId: string;
  keyId: string;
  memberId: string;
}

const FINGERPRINT = `'\\x${'ab'.repeat(32)}'`;
const newKey = 'gen_random_uuid()::text';

/** One statement and one commit, as in the service. */
export function order({ organizationId, keyId, memberId }: Names, gifts: number): string {
  const owner = `${organizationId}::uuid, 'sandbox'::environment`;
  const amount = gifts * GIFT_CENTS;
  return `with balance as materialized (
  select balance_cents - ${amount} as balance_after_cents, uuidv7() as order_id, uuidv7() as entry_id, now() as created_at
  from balances
  where organization_id = ${organizationId}::uuid and environment = 'sandbox' and balance_cents >= ${amount}
  for update skip locked
), item as materialized (
  select position, uuidv7() as gift_id, uuidv7() as delivery_id from generate_series(0, ${gifts - 1}) position
), debit as (
  update balances b set balance_cents = n.balance_after_cents, last_id = uuidv7()
  from balance n where b.organization_id = ${organizationId}::uuid and b.environment = 'sandbox'
), placed as (
  insert into orders (organization_id, environment, order_id, idempotency_key, fingerprint, amount_cents, key_id, member_id,
    created_at)
  select ${owner}, order_id, ${newKey}, ${FINGERPRINT}, ${amount}, ${keyId}::uuid, ${memberId}::uuid, created_at from balance
), entry as (
  insert into ledger_entries (organization_id, environment, entry_id, kind, amount_cents, balance_after_cents, order_id,
    created_at)
  select ${owner}, entry_id, 'order', -${amount}, balance_after_cents, order_id, created_at from balance
), gift as (
  insert into gifts (organization_id, environment, gift_id, order_id, position, amount_cents, category_id, method, address,
    delivery_state, recipient_name, sender_name, link_expires_at, created_at, delivery_id)
  select ${owner}, gift_id, order_id, position, ${GIFT_CENTS}, '${CATEGORY}', 'email', 'ada@example.com', 'pending', 'Ada',
    'The team', created_at + interval '30 days', created_at, delivery_id
  from balance, item
), delivery as (
  insert into deliveries (organization_id, environment, gift_id, delivery_id, channel, address, link_version,
    link_expires_at, state, created_at)
  select ${owner}, gift_id, delivery_id, 'email', 'ada@example.com', 1, created_at + interval '30 days', 'pending', created_at
  from balance, item
)
select balance_after_cents from balance`;
}

const giftColumns = `gift_id, amount_cents, category_id, method, address, delivery_state, recipient_name, sender_name,
  link_version, link_expires_at, opened_at, claimed_at`;

export const readGift = (organizationId: string, giftId: string) =>
  `select ${giftColumns} from gifts
where organization_id = ${organizationId}::uuid and environment = 'sandbox' and gift_id = ${giftId}::uuid`;

/** Eleven rows: the eleventh shows whether there are more. */
export const readPage = (organizationId: string) =>
  `select ${giftColumns} from gifts
where organization_id = ${organizationId}::uuid and environment = 'sandbox'
  and gift_id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' order by gift_id desc limit 11`;

/** A replay: the order of a key, with its gifts. */
export const readOrder = (organizationId: string, idempotencyKey: string) =>
  `select o.order_id, o.fingerprint, o.completes_at, ${giftColumns
    .split(',')
    .map((name) => `g.${name.trim()}`)
    .join(', ')}
from orders o
join gifts g on g.organization_id = o.organization_id and g.environment = o.environment and g.order_id = o.order_id
where o.organization_id = ${organizationId}::uuid and o.environment = 'sandbox' and o.idempotency_key = ${idempotencyKey}
order by g.position`;
