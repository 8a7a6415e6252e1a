import { dateOf } from 'bestow-readers/time.ts';
import type { Stripe } from 'stripe';
import type { CardFace, IssueOutcome, IssueRequest } from '../../../core/issuer/port.ts';
import type { StripeClient } from '../../stripe/open-stripe.ts';
import { NOT_ACCEPTED, NOT_POSSIBLE } from '../refusal-reasons.ts';
import { isInvalid, refusalOf, type StripeAccount, until } from './account.ts';
import { merchantCategories } from './merchant-categories.ts';

/** Stripe keeps keys for 24 hours; an hour less, because clocks differ. */
const KEY_MS = 23 * 3_600_000;
const CLOCKS_DIFFER_SECONDS = 600;
const FAILED = 500;
const MOST_LETTERS = 24;

/**
 * Creates the cardholder and an inactive card. For a day, Stripe's idempotency key finds what an earlier call created. Later,
 * after a failure, and after a restore of the database, the gift's card is looked for among those that were created since.
 *
 * @throws if the answer is not about this gift
 */
export async function issueCard(
  account: StripeAccount,
  request: IssueRequest,
  signal: AbortSignal,
): Promise<IssueOutcome> {
  const { acceptance } = request.entered;
  if (acceptance === undefined) return { state: 'refused', reason: 'Please accept the terms.' };
  const client = await account.client();
  const { giftCreatedAt, restoredTo } = request;
  const acceptedMs = dateOf(acceptance.at).getTime();
  const find = async (sinceMs = Math.min(acceptedMs, restoredTo?.getTime() ?? acceptedMs)) => {
    const found = await findCard(client, request, sinceMs, signal);
    return found && issued(found);
  };
  const mayExist = restoredTo !== undefined || account.clock.now() > acceptedMs + KEY_MS;
  const found = mayExist ? await find() : undefined;
  if (found !== undefined) return found;
  const create = async (name: string): Promise<IssueOutcome> => {
    const holder = await createHolder(client, request, name, signal);
    if ('state' in holder) return holder;
    const card = await until(
      signal,
      client.issuing.cards.create(cardOf(request, holder.id), keyOf(request, `card${name}`)),
    );
    if (card.metadata['key'] !== request.idempotencyKey) throw new Error('Stripe answered with another card.');
    return issued(card);
  };
  try {
    return await create('').catch(async (error) => {
      // Stripe answers with the same failure for a day. A second card would stay inactive.
      if ((refusalOf(error)?.statusCode ?? 0) < FAILED) throw error;
      return (await find()) ?? (await create('-again'));
    });
  } catch (error) {
    const refusal = refusalOf(error);
    // The key was sent with other parameters, by another version of this program or before a restore of the database.
    const earlier = refusal?.type === 'StripeIdempotencyError' ? await find(giftCreatedAt.getTime()) : undefined;
    if (earlier !== undefined) return earlier;
    if (!isInvalid(refusal)) throw error;
    return { state: 'refused', reason: reasonOf(refusal.param) };
  }
}

const keyOf = ({ idempotencyKey }: IssueRequest, part: string) => ({ idempotencyKey: `${idempotencyKey}-${part}` });

const faceOf = ({ brand, last4, exp_month, exp_year }: Stripe.Issuing.Card): CardFace => ({
  brand,
  lastFour: last4,
  expires: { month: exp_month, year: exp_year },
});

const issued = (card: Stripe.Issuing.Card): IssueOutcome => ({
  state: 'issued',
  providerId: card.id,
  face: faceOf(card),
});

/** Finds the gift's card, newest first. One that an earlier round left open is the gift's only card, too. */
async function findCard(
  client: StripeClient,
  { giftId, idempotencyKey }: IssueRequest,
  sinceMs: number,
  signal: AbortSignal,
): Promise<Stripe.Issuing.Card | undefined> {
  const created = { gte: Math.floor(sinceMs / 1_000) - CLOCKS_DIFFER_SECONDS };
  const cards = client.issuing.cards.list({ created, type: 'virtual', limit: 100 });
  for await (const card of cards) {
    const { key, gift } = card.metadata;
    if (key === idempotencyKey || (gift === giftId && card.status !== 'canceled')) return card;
    signal.throwIfAborted();
  }
  return undefined;
}

/** Returns the cardholder if it may have a card. @param name makes the keys of two tries different */
async function createHolder(
  client: StripeClient,
  request: IssueRequest,
  name: string,
  signal: AbortSignal,
): Promise<Stripe.Issuing.Cardholder | IssueOutcome> {
  const { id } = await until(
    signal,
    client.issuing.cardholders.create(cardholderOf(request), keyOf(request, `holder${name}`)),
  );
  // The answer under a key stays as it was, so the present state is asked for.
  const holder = await until(signal, client.issuing.cardholders.retrieve(id));
  if (holder.metadata['gift'] !== request.giftId) throw new Error('Stripe answered with another cardholder.');
  const { disabled_reason } = holder.requirements;
  if (disabled_reason === null || disabled_reason === undefined) return holder;
  if (disabled_reason === 'under_review') return { state: 'pending' };
  return { state: 'refused', reason: disabled_reason === 'requirements.past_due' ? NOT_ACCEPTED : NOT_POSSIBLE };
}

/** Stripe takes letters in one part and the typewriter's apostrophe. */
const typed = (text: string | undefined) => (text ?? '').normalize('NFC').replaceAll('’', "'");

/** A name as it would be printed: letters without accents, and no other characters. */
const printed = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{Script=Latin}]+/gu, ' ')
    .trim()
    .slice(0, MOST_LETTERS)
    .trim();

function cardholderOf({ entered: { fields, acceptance }, organizationId, giftId }: IssueRequest) {
  const [year = 0, month = 0, day = 0] = (fields['date_of_birth'] ?? '').split('-').map(Number);
  const firstName = typed(fields['first_name']);
  const lastName = typed(fields['last_name']);
  const holder: Stripe.Issuing.CardholderCreateParams = {
    type: 'individual',
    name: printed(`${firstName} ${lastName}`),
    phone_number: fields['phone'] ?? '',
    individual: {
      first_name: firstName,
      last_name: lastName,
      dob: { day, month, year },
      ...(acceptance && {
        card_issuing: {
          user_terms_acceptance: {
            date: Math.floor(dateOf(acceptance.at).getTime() / 1_000),
            ip: acceptance.address,
            user_agent: acceptance.userAgent,
          },
        },
      }),
    },
    billing: {
      address: {
        line1: typed(fields['line1']),
        ...(fields['line2'] === undefined ? {} : { line2: typed(fields['line2']) }),
        city: typed(fields['city']),
        state: (fields['state'] ?? '').toUpperCase(),
        postal_code: fields['postal_code'] ?? '',
        country: 'US',
      },
    },
    metadata: { gift: giftId, organization: organizationId },
  };
  return holder;
}

function cardOf(request: IssueRequest, cardholder: string): Stripe.Issuing.CardCreateParams {
  const { organizationId, giftId, idempotencyKey, categoryId, valueCents, currency } = request;
  const categories = merchantCategories[categoryId];
  return {
    cardholder,
    currency: currency.toLowerCase(),
    type: 'virtual',
    status: 'inactive',
    spending_controls: {
      spending_limits: [{ amount: valueCents, interval: 'all_time' }],
      ...(categories === undefined ? {} : { allowed_categories: categories }),
    },
    metadata: { gift: giftId, organization: organizationId, key: idempotencyKey, value_cents: String(valueCents) },
  };
}

const labels: readonly [part: string, label: string][] = [
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['name', 'Name'],
  ['dob', 'Date of birth'],
  ['phone_number', 'Phone'],
  ['address', 'Address'],
];

/** @param param Stripe's name of what is wrong, such as `individual[dob][year]` */
function reasonOf(param: string | undefined): string {
  const label = labels.find(([part]) => param?.includes(part))?.[1];
  return label === undefined ? NOT_POSSIBLE : `The issuer of the cards did not accept this: ${label}. Please check it.`;
}
