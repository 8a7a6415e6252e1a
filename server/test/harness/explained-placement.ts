/** A batch of several orders with one gift each, the first a replay, as the statements for all and for usual orders take it. */
export function placementOf(
  organizationId: string,
  replayed: Record<'hash' | 'idempotency_key' | 'fingerprint', string>,
  now: Date,
): { any: [orders: string, gifts: string]; usual: [callers: string, orders: string, gifts: string] } {
  const createdAt = now.toISOString();
  const id = (n: number, last: number) => `${'f'.repeat(8)}-0000-7000-8000-0000000000${n}${last}`;
  const orders = Array.from({ length: 8 }, (_, n) => ({
    n,
    organization_id: organizationId,
    environment: 'sandbox',
    key_hash: `\\x${replayed.hash}`,
    client_address: '',
    key_lock: String(n),
    idempotency_key: n === 0 ? replayed.idempotency_key : `explained ${n}`,
    fingerprint: `\\x${replayed.fingerprint}`,
    order_id: id(n, 1),
    entry_id: id(n, 3),
    amount_cents: 2500,
    categories: ['coffee'],
    may_be_placed: true,
    needs_issuer: true,
    created_at: createdAt,
    completes_at: null,
    pending_gifts: null,
    recipients: [{ holder: String(n), cap_cents: 1_000_000, amount_cents: 2500 }],
  }));
  const gifts = orders.map(({ n }) => ({
    n,
    gift_id: id(n, 2),
    position: 0,
    amount_cents: 2500,
    category_id: 'coffee',
    method: 'link',
    sender_name: 'Acme',
    link_version: 1,
    link_expires_at: createdAt,
    spent_cents: 0,
  }));
  const any: [string, string] = [JSON.stringify(orders), JSON.stringify(gifts)];
  const callers = [{ caller: 0, ...orders[0], link_expires_at: createdAt }];
  const usual = orders.map((order) => ({ caller: 0, ...order }));
  return { any, usual: [JSON.stringify(callers), JSON.stringify(usual), any[1]] };
}
