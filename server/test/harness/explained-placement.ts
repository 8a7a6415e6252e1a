/** A batch of several orders with one gift each, the first a replay, as the statements for all and for usual orders take it. */
export function placementOf(
  organizationId: string,
  replayed: Record<'hash' | 'idempotency_key' | 'fingerprint', string>,
  now: Date,
): [callers: string, orders: string, gifts: string] {
  const createdAt = now.toISOString();
  const id = (n: number, last: number) => `${'f'.repeat(8)}-0000-7000-8000-0000000000${n}${last}`;
  const orders = Array.from({ length: 8 }, (_, n) => ({
    n,
    caller: 0,
    key_lock: String(n),
    idempotency_key: n === 0 ? replayed.idempotency_key : `explained ${n}`,
    fingerprint: `\\x${replayed.fingerprint}`,
    order_id: id(n, 1),
    entry_id: id(n, 3),
    amount_cents: 2500,
    categories: ['coffee'],
    needs_issuer: true,
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
  const key = {
    organization_id: organizationId,
    environment: 'sandbox',
    key_hash: `\\x${replayed.hash}`,
    client_address: '',
  };
  const times = { asked_at: createdAt, created_at: createdAt, link_expires_at: createdAt };
  return [JSON.stringify([{ caller: 0, ...key, ...times }]), JSON.stringify(orders), JSON.stringify(gifts)];
}
