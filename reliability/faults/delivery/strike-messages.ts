import assert from 'node:assert/strict';
import type { LoadClient } from '../../load/client.ts';
import type { LoadOrganization } from '../../load/world.ts';
import { monotonicNowMs } from '../../record/recorder.ts';
import type { DeliveryFault, EmailStrike, PhoneStrike } from './delivery-faults.ts';
import { type Copy, isOfConnection, type Post } from './post.ts';

/** A service that sends by a post, and a customer of it with a live key. */
export interface DeliverySite {
  client: LoadClient;
  organization: LoadOrganization;
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Lets the queues work until it is so. @throws where that takes too long */
  workUntil(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void>;
}

export interface StruckMessages {
  /** What was promised and not kept, in a sentence each. */
  failures: string[];
  /** How long the messages to others took, from the answer to their order. */
  bystandersMs: number[];
  /** From a gift's order to what became of it in the end, of those that were struck. */
  settledMs: number[];
}

interface Settled {
  state: string;
  atMs: number;
}

const OTHER_DOMAINS = 5;
/** What an email to another domain may take while a domain is bad; text messages all go to one provider. */
const BYSTANDER_WITHIN_MS = 10_000;

/**
 * Strikes so many messages, each once, while messages to other addresses go out beside them, and waits until all are
 * settled. Once for each site: it always takes the same addresses.
 *
 * @throws where something does not come about in time
 */
export async function strikeMessages(
  site: DeliverySite,
  post: Post,
  fault: DeliveryFault,
  { count, random }: { count: number; random: () => number },
): Promise<StruckMessages> {
  const strikes = takeInTurn(fault, count, random);
  const orderedAtMs = new Map<string, number>();
  const before = post.struck();

  async function order(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      await orderGift(site, fault.channel, address);
      orderedAtMs.set(address, monotonicNowMs());
    }
  }

  const victims: string[] = [];
  const bystanders: string[] = [];
  for (const [n, strike] of strikes.entries()) {
    if (isOfConnection(strike)) continue;
    const victim = addressOf(fault, 'struck', n);
    post.strikeMessage(victim, strike);
    victims.push(victim);
    bystanders.push(addressOf(fault, 'other', n));
  }
  // The bad ones stand before the others in the queue.
  await order(victims);
  await order(bystanders);
  const copiesOf = (recipient: string) => post.copies.filter((copy) => copy.recipient === recipient);
  await site.workUntil(() => bystanders.every((each) => copiesOf(each).length > 0), 'the messages to others');

  for (const [n, strike] of strikes.entries()) {
    if (!isOfConnection(strike)) continue;
    const target = post.struck() + 1;
    const victim = addressOf(fault, 'struck', n);
    post.strikeConnection(strike);
    victims.push(victim);
    await order([victim]);
    await site.workUntil(() => post.struck() >= target, `${fault.name} met a connection`);
  }
  await site.workUntil(() => post.struck() - before >= strikes.length, 'all are struck');
  const settled = new Map<string, Settled>();
  await site.workUntil(async () => {
    for (const { address, state } of await site.sql<{ address: string; state: string }>(SETTLED, [
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
      ...victims.flatMap((each) => failuresOf(each, fault.becomes, settled.get(each), copiesOf(each), post)),
      ...bystanders.flatMap((each) => failuresOf(each, 'sent', settled.get(each), copiesOf(each), post)),
      ...bystandersMs.flatMap((ms, n) =>
        ms <= BYSTANDER_WITHIN_MS ? [] : [`The message to ${bystanders[n]} took ${(ms / 1000).toFixed(1)} s.`],
      ),
      ...(fault.channel === 'email' && fault.usesTls === true
        ? post.copies.filter(({ isEncrypted }) => !isEncrypted).map((copy) => `${copy.recipient}: sent in the open.`)
        : []),
    ],
  };
}

const SETTLED = `select address, state from deliveries where environment = 'live' and address = any($1) and state <> 'pending'`;

const addressOf = ({ channel }: DeliveryFault, kind: 'struck' | 'other', n: number) =>
  channel === 'email'
    ? `${kind}-${n}@${kind === 'struck' ? 'bad' : `good-${n % OTHER_DOMAINS}`}.example`
    : `+1202${kind === 'struck' ? 555 : 556}${2_000 + n}`;

async function orderGift({ client, organization }: DeliverySite, method: 'email' | 'phone', address: string) {
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

/** Each as often as the others, beginning anywhere. */
function takeInTurn({ strikes }: DeliveryFault, count: number, random: () => number): (EmailStrike | PhoneStrike)[] {
  const first = Math.floor(random() * strikes.length);
  return Array.from({ length: count }, (_, n) => strikes[(first + n) % strikes.length]).filter(
    (strike) => strike !== undefined,
  );
}

function failuresOf(
  address: string,
  becomes: DeliveryFault['becomes'],
  delivery: Settled | undefined,
  copies: readonly Copy[],
  post: Post,
): string[] {
  const failures: string[] = [];
  if (delivery?.state !== becomes) failures.push(`${address}: ${delivery?.state ?? 'not settled'}, not ${becomes}.`);
  const fewest = becomes === 'sent' ? 1 : 0;
  const most = becomes === 'sent' ? 1 + post.kept(address) : 0;
  if (copies.length < fewest || copies.length > most)
    failures.push(`${address}: ${copies.length} copies, not ${fewest} to ${most}.`);
  if (new Set(copies.map(({ reference }) => reference)).size > 1)
    failures.push(`${address}: copies under several identities.`);
  if (copies.some(({ reference }) => reference === '')) failures.push(`${address}: a copy without an identity.`);
  return failures;
}
