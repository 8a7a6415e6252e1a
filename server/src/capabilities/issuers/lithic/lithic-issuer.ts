import { dateOf } from 'bestow-readers/time.ts';
import { APIError, type Lithic } from 'lithic';
import type {
  Authorization,
  Card,
  CardAtIssuer,
  IssuerCall,
  Presentation,
  RemoteIssuer,
} from '../../../core/issuer/port.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { decodeId } from '../../../platform/base/ids.ts';
import { OperatorError } from '../../../platform/base/operator-error.ts';
import { wordsOf } from '../../../platform/languages/words.ts';
import { fundingAccount } from '../funding-account.ts';
import { giftOf, issueCard } from './issue-card.ts';
import { factEvents, factsOfEvent, type LithicEvent } from './read-facts.ts';
import { requirementsOf } from './requirements.ts';
import type { LithicSettings } from './settings.ts';
import { verifiedId } from './verify-call.ts';

const FRAME_MS = 60_000;

/** The port on a program at Lithic. */
export function lithicIssuer(client: Lithic, settings: LithicSettings, clock: Clock): RemoteIssuer {
  const cardOf = async (token: string, signal: AbortSignal) =>
    (await client.transactions.retrieve(token, { signal })).card_token;
  return {
    isLocal: false,
    capabilities: {
      kind: 'card',
      currencies: ['USD'],
      isReal: true,
    },
    requirements: (language) => requirementsOf(settings, wordsOf(language)),
    issue: (request, signal) => issueCard(client, settings.brand, request, signal),
    activate: (card, signal) => setState(client, card, 'OPEN', signal),
    async close(card, signal) {
      await setState(client, card, 'CLOSED', signal);
      return true;
    },
    present: async (card, isRevealed) => present(client, card, isRevealed, clock),
    decide: (call, judge) => answerPurchase(settings, clock, call, judge),
    verify: async (call) => verifiedId(call, settings.secrets, clock.now()),
    ingest: (body, signal) => factsOfEvent(JSON.parse(body) as LithicEvent, (token) => cardOf(token, signal)),
    async *reconcile(since, signal) {
      const query = { begin: since.toISOString(), event_types: [...factEvents], with_content: true, page_size: 100 };
      for await (const { payload } of client.events.list(query, { signal }))
        yield* await factsOfEvent(payload as unknown as LithicEvent, (token) => cardOf(token, signal));
    },
    async *listCards(since, signal) {
      const query = { begin: since.toISOString(), page_size: 100 };
      for await (const { token, memo, state } of client.cards.list(query, { signal }))
        yield { providerId: token, giftId: decodeId('gift', giftOf(memo) ?? ''), isOpen: state !== 'CLOSED' };
    },
    async fundingBalance(signal) {
      const { data } = await client.balances.list({ financial_account_type: 'OPERATING' }, { signal });
      return {
        account: fundingAccount('lithic', settings.apiKey),
        availableCents: data.reduce((sum, { available_amount }) => sum + available_amount, 0),
      };
    },
    async test(signal) {
      await client.balances.list({ financial_account_type: 'OPERATING' }, { signal }).catch((error) => {
        throw error instanceof APIError && error.status === 401
          ? new OperatorError('Lithic does not know the api_key.')
          : new OperatorError('Lithic did not answer.', { cause: error });
      });
    },
  };
}

async function setState(
  { cards }: Lithic,
  { providerId }: CardAtIssuer,
  state: 'OPEN' | 'CLOSED',
  signal: AbortSignal,
): Promise<void> {
  try {
    const { token, state: now } = await cards.update(providerId, { state }, { signal });
    if (token !== providerId || now !== state) throw new Error(`Lithic did not set the state ${state}.`);
  } catch (error) {
    if (!(error instanceof APIError) || error.status !== 400) throw error;
    // A closed card stays closed; the event of its end is recorded.
    if ((await cards.retrieve(providerId, { signal })).state !== 'CLOSED') throw error;
  }
}

/** The frame's address is signed with the API key, and valid for a minute. */
function present({ cards }: Lithic, { issued }: Card, isRevealed: boolean, clock: Clock): Presentation {
  if (issued?.providerId == null || issued.face === null) throw new Error('A card of Lithic has an id and a face.');
  const expiration = new Date(clock.now() + FRAME_MS).toISOString();
  const url = isRevealed ? cards.getEmbedURL({ token: issued.providerId, expiration }) : undefined;
  return { kind: 'frame', face: issued.face, url };
}

/** Answers a question of Auth Stream Access, which has its own secret. */
async function answerPurchase(
  { asaSecrets }: LithicSettings,
  clock: Clock,
  call: IssuerCall,
  judge: (authorization: Authorization) => Promise<boolean>,
) {
  if (verifiedId(call, asaSecrets, clock.now()) === undefined) return { status: 401, headers: {}, body: '' };
  const { token, event_token, amounts, card, merchant, status, created } = JSON.parse(
    call.body,
  ) as Lithic.CardAuthorization;
  const { amount, currency } = amounts.hold ?? amounts.cardholder;
  const isPurchase = status === 'AUTHORIZATION' || status === 'FINANCIAL_AUTHORIZATION';
  const isApproved =
    currency === 'USD' &&
    isPurchase &&
    (await judge({
      authorizationId: event_token ?? token,
      holdId: token,
      providerId: card.token,
      amountCents: Math.abs(amount),
      merchant: merchant.descriptor,
      at: dateOf(created),
    }));
  const result = isApproved ? 'APPROVED' : 'INSUFFICIENT_FUNDS';
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token, result }) };
}
