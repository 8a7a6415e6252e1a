// The lean ceiling: the fewest rows that an order can be. A primary key each, one unique and one more index; no foreign
// keys, no checks, no deliveries.
import { CATEGORY, GIFT_CENTS } from './statements.ts';

export const LEAN_TABLES = `create table bench.balances (organization_id uuid primary key, balance_cents bigint not null);
create table bench.orders (order_id uuid primary key, organization_id uuid not null, idempotency_key text not null,
  amount_cents integer not null, created_at timestamptz not null, unique (organization_id, idempotency_key));
create table bench.entries (entry_id uuid primary key, organization_id uuid not null, order_id uuid not null,
  amount_cents integer not null, balance_after_cents bigint not null, created_at timestamptz not null);
create table bench.gifts (gift_id uuid primary key, order_id uuid not null, amount_cents integer not null,
  category_id text not null, address text not null);
create index on bench.gifts (order_id)`;

/** One statement was faster than a transaction of several, also if pipelined. */
export const leanOrder = (organizationId: string, gifts: number) => `with balance as (
  update bench.balances set balance_cents = balance_cents - ${gifts * GIFT_CENTS}
  where organization_id = ${organizationId}::uuid and balance_cents >= ${gifts * GIFT_CENTS}
  returning organization_id, balance_cents as balance_after_cents, uuidv7() as order_id, now() as created_at
), placed as (
  insert into bench.orders
  select order_id, organization_id, gen_random_uuid()::text, ${gifts * GIFT_CENTS}, created_at from balance
), entry as (
  insert into bench.entries
  select uuidv7(), organization_id, order_id, -${gifts * GIFT_CENTS}, balance_after_cents, created_at from balance
)
insert into bench.gifts
select uuidv7(), order_id, ${GIFT_CENTS}, '${CATEGORY}', 'ada@example.com' from balance, generate_series(1, ${gifts})`;
