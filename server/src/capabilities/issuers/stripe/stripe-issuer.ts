import { Stripe } from 'stripe';
import type { Card, CardAtIssuer, Fact, ListedCard, Presentation, RemoteIssuer } from '../../../core/issuer/port.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import { wordsOf } from '../../../platform/languages/words.ts';
import { verifiedEvent } from '../../stripe/verified-event.ts';
import { fundingAccount } from '../funding-account.ts';
import { isInvalid, refusalOf, type StripeAccount, until } from './account.ts';
import { answerPurchase } from './answer-purchase.ts';
import { cardScript } from './card-script.ts';
import { issueCard } from './issue-card.ts';
import { raiseLimit } from './raise-limit.ts';
import { factEvents, factOfTransaction, factsOfEvent } from './read-facts.ts';
import { requirementsOf } from './requirements.ts';

const SCRIPTS_HOST = 'https://js.stripe.com';
/** The release of Stripe.js that belongs to the library's API version. */
const STRIPE_JS = `${SCRIPTS_HOST}/endive/stripe.js`;

/** The port on an account at Stripe. */
export function stripeIssuer(account: StripeAccount): RemoteIssuer {
  const { settings } = account;
  return {
    isLocal: false,
    capabilities: {
      kind: 'card',
      currencies: [settings.currency.toUpperCase()],
      isReal: true,
    },
    requirements: (language) => requirementsOf(settings, wordsOf(language)),
    issue: (request, signal) => issueCard(account, request, signal),
    activate: (card, signal) => setStatus(account, card, 'active', signal),
    forgetHolder: (card, signal) => forgetHolder(account, card, signal),
    async close(card, signal) {
      await setStatus(account, card, 'canceled', signal);
      return true;
    },
    present: async (card, isRevealed) => present(account, card, isRevealed),
    async cardKey({ issued }, nonce, signal) {
      if (issued?.providerId == null) return undefined;
      const client = await account.client();
      const params = { issuing_card: issued.providerId, nonce };
      try {
        const { secret } = await until(signal, client.ephemeralKeys.create(params, { apiVersion: Stripe.API_VERSION }));
        return secret;
      } catch (error) {
        if (isInvalid(refusalOf(error))) return undefined;
        throw error;
      }
    },
    decide: (call, judge) => answerPurchase(account, call, judge),
    verify: async (call) => verifiedEvent(Stripe, call, settings.secrets, account.clock.now())?.id,
    async ingest(body, signal) {
      const client = await account.client();
      const facts = await until(signal, factsOfEvent(client, JSON.parse(body) as Stripe.Event));
      for (const fact of facts) await until(signal, raiseLimit(client, fact));
      return facts;
    },
    reconcile: (since, signal) => reconcile(account, since, signal),
    listCards: (since, signal) => listCards(account, since, signal),
    async fundingBalance(signal) {
      const { issuing } = await retrieveBalance(account, signal);
      const found = issuing?.available.find(({ currency }) => currency === settings.currency);
      return found && { account: fundingAccount('stripe', settings.secretKey), availableCents: found.amount };
    },
    test: (signal) => testAccount(account, signal),
  };
}

function present({ settings }: StripeAccount, { issued }: Card, isRevealed: boolean): Presentation {
  if (issued?.providerId == null || issued.face === null) throw new Error('A card of Stripe has an id and a face.');
  if (!isRevealed) return { kind: 'script', face: issued.face };
  return {
    kind: 'script',
    face: issued.face,
    elements: {
      scripts: [STRIPE_JS, cardScript.path],
      hosts: [SCRIPTS_HOST, 'https://api.stripe.com'],
      data: { 'publishable-key': settings.publishableKey, card: issued.providerId },
    },
  };
}

async function setStatus(
  account: StripeAccount,
  { providerId }: CardAtIssuer,
  status: 'active' | 'canceled',
  signal: AbortSignal,
): Promise<void> {
  const { cards } = (await account.client()).issuing;
  try {
    const { id, status: now } = await until(signal, cards.update(providerId, { status }));
    if (id !== providerId || now !== status) throw new Error(`Stripe did not set the status ${status}.`);
  } catch (error) {
    if (!isInvalid(refusalOf(error))) throw error;
    // A canceled card stays canceled; the event of its end is recorded.
    if ((await until(signal, cards.retrieve(providerId))).status !== 'canceled') throw error;
  }
}

/** Stripe erases no cardholder. An inactive one has no card that works, and no ids of the gift. */
async function forgetHolder(account: StripeAccount, { providerId }: CardAtIssuer, signal: AbortSignal): Promise<void> {
  const { cards, cardholders } = (await account.client()).issuing;
  const { cardholder } = await until(signal, cards.retrieve(providerId));
  const forgotten = { status: 'inactive', metadata: { gift: '', organization: '' } } as const;
  await until(signal, cardholders.update(cardholder.id, forgotten));
}

/** Yields what Stripe kept: all transactions, and the events of 30 days. */
async function* reconcile(account: StripeAccount, since: Date, signal: AbortSignal): AsyncGenerator<Fact> {
  const client = await account.client();
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  for await (const transaction of client.issuing.transactions.list({ created, limit: 100 })) {
    signal.throwIfAborted();
    const fact = factOfTransaction(transaction);
    yield fact;
    await until(signal, raiseLimit(client, fact));
  }
  for await (const event of client.events.list({ created, types: [...factEvents], limit: 100 })) {
    signal.throwIfAborted();
    if (event.type === 'issuing_transaction.created') continue;
    for (const fact of await until(signal, factsOfEvent(client, event))) {
      yield fact;
      await until(signal, raiseLimit(client, fact));
    }
  }
}

async function* listCards(account: StripeAccount, since: Date, signal: AbortSignal): AsyncGenerator<ListedCard> {
  const client = await account.client();
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  for await (const { id, metadata, status } of client.issuing.cards.list({ created, type: 'virtual', limit: 100 })) {
    signal.throwIfAborted();
    yield { providerId: id, giftId: metadata['gift'], isOpen: status !== 'canceled' };
  }
}

async function retrieveBalance(account: StripeAccount, signal: AbortSignal): Promise<Stripe.Balance> {
  return until(signal, (await account.client()).balance.retrieve());
}

async function testAccount(account: StripeAccount, signal: AbortSignal): Promise<void> {
  const { issuing } = await retrieveBalance(account, signal).catch((error) => {
    const status = refusalOf(error)?.statusCode;
    if (status === undefined) throw new OperatorError('Stripe did not answer.', { cause: error });
    throw new OperatorError(
      status === 401
        ? 'Stripe does not know the secret_key.'
        : `Stripe answered ${status} to a request for the balance.`,
      status >= 500 ? { cause: error } : {},
    );
  });
  if (issuing === undefined) throw new OperatorError('Issuing is not switched on in this Stripe account.');
}
