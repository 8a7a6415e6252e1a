import assert from 'node:assert/strict';
import type { LoadClient } from '../../load/client.ts';
import type { LoadOrganization } from '../../load/state.ts';
import { monotonicNowMs } from '../../record/recorder.ts';
import type { DeliveryFault, EmailStrike, PhoneStrike } from './delivery-faults.ts';
import { type Copy, isOfConnection, type StruckProvider } from './struck-provider.ts';

/** A customer of the service with a live key. */
export interface DeliveryCustomer {
  client: LoadClient;
  organization: LoadOrganization;
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Waits while the queues work. @throws if that takes too long */
  workUntil(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void>;
}

export interface StruckMessages {
  /** Broken promises, a sentence each. */
  failures: string[];
  /** How long messages to other addresses took. */
  bystandersMs: number[];
  /** From the order of a struck gift to its final state. */
  settledMs: number[];
}

interface Settled {
  state: string;
  atMs: number;
}

const OTHER_DOMAINS = 5;

/**
 * Strikes `count` messages once each beside messages to other addresses, and waits until all are settled. Call it once for
 * each customer, because the addresses are always the same.
 *
 * @throws if a step takes too long
 */
export async function strikeMessages(
  customer: DeliveryCustomer,
  provider: StruckProvider,
  fault: DeliveryFault,
  { count, random }: { count: number; random: () => number },
): Promise<StruckMessages> {
  const strikes = takeInTurn(fault, count, random);
  const orderedAtMs = new Map<string, number>();
  const before = provider.struck();

  async function order(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      await orderGift(customer, fault.channel, address);
      orderedAtMs.set(address, monotonicNowMs());
    }
  }

  const victims: string[] = [];
  const bystanders: string[] = [];
  for (const [n, strike] of strikes.entries()) {
    if (isOfConnection(strike)) continue;
    const victim = addressOf(fault, 'struck', n);
    provider.strikeMessage(victim, strike);
    victims.push(victim);
    bystanders.push(addressOf(fault, 'other', n));
  }
  // The struck messages come first in the queue.
  await order(victims);
  await order(bystanders);
  const copiesOf = (recipient: string) => provider.copies.filter((copy) => copy.recipient === recipient);
  await customer.workUntil(() => bystanders.every((each) => copiesOf(each).length > 0), 'the messages to others');

  for (const [n, strike] of strikes.entries()) {
    if (!isOfConnection(strike)) continue;
    const target = provider.struck() + 1;
    const victim = addressOf(fault, 'struck', n);
    provider.strikeConnection(strike);
    victims.push(victim);
    await order([victim]);
    await customer.workUntil(() => provider.struck() >= target, `${fault.name} met a connection`);
  }
  await customer.workUntil(() => provider.struck() - before >= strikes.length, 'all are struck');
  const settled = new Map<string, Settled>();
  await customer.workUntil(async () => {
    for (const { address, state } of await customer.sql<{ address: string; state: string }>(SETTLED, [
      [...victims, ...bystanders],
    ]))
      if (!settled.has(address)) settled.set(address, { state, atMs: monotonicNowMs() });
    return settled.size === victims.length + bystanders.length;
  }, 'every message is settled');

  const bystandersMs = bystanders.map((each) => (copiesOf(each)[0]?.atMs ?? 0) - (orderedAtMs.get(each) ?? 0));
  return {
    bystandersMs,
    settledMs: victims.map((each) => (settled.get(each)?.atMs ?? 0) - (orderedAtMs.get(each) ?? 0)),
    failures: [
      ...victims.flatMap((each) => failuresOf(each, fault.outcome, settled.get(each), copiesOf(each), provider)),
      ...bystanders.flatMap((each) => failuresOf(each, 'sent', settled.get(each), copiesOf(each), provider)),
      ...(fault.channel === 'email' && fault.usesTls === true
        ? provider.copies
            .filter(({ isEncrypted }) => !isEncrypted)
            .map((copy) => `${copy.recipient}: sent unencrypted.`)
        : []),
    ],
  };
}

const SETTLED = `select address, state from deliveries where environment = 'live' and address = any($1) and state <> 'pending'`;

const addressOf = ({ channel }: DeliveryFault, kind: 'struck' | 'other', n: number) =>
  channel === 'email'
    ? `${kind}-${n}@${kind === 'struck' ? 'bad' : `good-${n % OTHER_DOMAINS}`}.example`
    : `+1202${kind === 'struck' ? 555 : 556}${2_000 + n}`;

async function orderGift({ client, organization }: DeliveryCustomer, method: 'email' | 'phone', address: string) {
  const delivery = method === 'email' ? { method, email: address } : { method, phone: address };
  const outcome = await client.untilKnown({
    organization,
    operation: 'placeOrder',
    method: 'POST',
    path: '/v1/orders',
    idempotencyKey: `strike-${address}`,
    request: { gifts: [{ amount: 1_000, category: 'coffee', delivery }] },
  });
  assert.equal(outcome.kind, 'ok', JSON.stringify(outcome));
}

/** Takes the strikes in order from a random start. */
function takeInTurn({ strikes }: DeliveryFault, count: number, random: () => number): (EmailStrike | PhoneStrike)[] {
  const first = Math.floor(random() * strikes.length);
  return Array.from({ length: count }, (_, n) => strikes[(first + n) % strikes.length]).filter(
    (strike) => strike !== undefined,
  );
}

function failuresOf(
  address: string,
  outcome: DeliveryFault['outcome'],
  delivery: Settled | undefined,
  copies: readonly Copy[],
  provider: StruckProvider,
): string[] {
  const failures: string[] = [];
  if (delivery?.state !== outcome) failures.push(`${address}: ${delivery?.state ?? 'not settled'}, not ${outcome}.`);
  const fewest = outcome === 'sent' ? 1 : 0;
  const most = outcome === 'sent' ? 1 + provider.kept(address) : 0;
  if (copies.length < fewest || copies.length > most)
    failures.push(`${address}: ${copies.length} copies, not ${fewest} to ${most}.`);
  if (new Set(copies.map(({ reference }) => reference)).size > 1)
    failures.push(`${address}: copies under several identities.`);
  if (copies.some(({ reference }) => reference === '')) failures.push(`${address}: a copy without an identity.`);
  return failures;
}
