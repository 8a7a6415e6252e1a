import { createHash } from 'node:crypto';
import { type Account, invalidRequest, type Json, type Resource } from '../account.ts';
import { mergeMetadata } from './customers.ts';

const noControls = {
  allowed_card_presences: null,
  allowed_categories: null,
  allowed_merchant_countries: null,
  blocked_card_presences: null,
  blocked_categories: null,
  blocked_merchant_countries: null,
  spending_limits: [],
  spending_limits_currency: null,
};

const MAX_NAME = 24;
const MIN_AGE_SECONDS = 13 * 365.25 * 86_400;

function refuseHolder({ name, individual }: Json, now: number): void {
  const refuse = (param: string, message: string) => {
    throw invalidRequest(message, { param });
  };
  if (name.length > MAX_NAME || !/^[\p{Script=Latin} ]+$/u.test(name))
    refuse('name', 'The name may have at most 24 letters, and no numbers or special characters.');
  for (const part of ['first_name', 'last_name'])
    if (!/^[\p{Script=Latin} .,'-]+$/u.test(individual?.[part] ?? ''))
      refuse(`individual[${part}]`, 'This field cannot contain numbers, special characters or non-latin letters.');
  const { year, month, day } = individual.dob ?? {};
  if (year !== undefined && Date.UTC(year, month - 1, day) / 1_000 > now - MIN_AGE_SECONDS)
    refuse('individual[dob][year]', 'The cardholder must be at least 13 years old.');
}

export const issuingCardholders: Resource = {
  'POST /v1/issuing/cardholders': (account, { form }) => {
    refuseHolder(form, account.now());
    const acceptance = form.individual?.card_issuing?.user_terms_acceptance;
    const holder = account.add('ich', 'issuing.cardholder', {
      billing: { address: { line2: null, state: null, ...form.billing.address } },
      company: null,
      email: form.email ?? null,
      individual: {
        card_issuing: {
          user_terms_acceptance: acceptance === undefined ? null : { user_agent: null, ...acceptance },
        },
        dob: form.individual?.dob ?? null,
        first_name: form.individual?.first_name ?? null,
        last_name: form.individual?.last_name ?? null,
        verification: null,
      },
      metadata: form.metadata ?? {},
      name: form.name,
      phone_number: form.phone_number ?? null,
      preferred_locales: form.preferred_locales ?? null,
      requirements: { disabled_reason: null, past_due: [] },
      spending_controls: null,
      status: 'active',
      type: form.type ?? 'individual',
    });
    // Names that Stripe's list of sanctioned people has.
    if (form.name.startsWith('Listed')) holder.requirements.disabled_reason = 'listed';
    if (form.name.startsWith('Reviewed')) holder.requirements.disabled_reason = 'under_review';
    account.emit('issuing_cardholder.created', holder);
    return holder;
  },
  'GET /v1/issuing/cardholders/{cardholder}': (account, { ids: [id = ''] }) => account.find(id, 'issuing.cardholder'),
  'POST /v1/issuing/cardholders/{cardholder}': (account, { ids: [id = ''], form }) => {
    const holder = account.find(id, 'issuing.cardholder');
    if (form.metadata !== undefined) holder.metadata = mergeMetadata(holder.metadata, form.metadata);
    if (form.status !== undefined) holder.status = form.status;
    account.emit('issuing_cardholder.updated', holder);
    return holder;
  },
};

/** The number of a card. Stripe keeps it; the fake computes it only when it is asked for. */
export function cardNumberOf({ id }: Json): string {
  const digits = BigInt(`0x${createHash('sha256').update(`number of ${id}`).digest('hex')}`).toString();
  return `400000${digits.slice(0, 6)}${lastFourOf(id)}`;
}

const lastFourOf = (id: string): string =>
  String(createHash('sha256').update(id).digest().readUInt32BE() % 10_000).padStart(4, '0');

function setStatus(account: Account, card: Json, status: string): void {
  if (card.status === 'canceled') throw invalidRequest('You cannot update a canceled card.', { param: 'status' });
  if (status === 'active' && card.cardholder.requirements.disabled_reason !== null)
    throw invalidRequest('This card cannot be activated: the cardholder has outstanding requirements.');
  card.status = status;
  account.emit('issuing_card.updated', card);
}

export const issuingCards: Resource = {
  'POST /v1/issuing/cards': (account, { form }) => {
    const cardholder = account.find(form.cardholder, 'issuing.cardholder');
    const card = account.add('ic', 'issuing.card', {
      brand: 'Visa',
      cancellation_reason: null,
      cardholder,
      currency: form.currency,
      exp_month: 11,
      exp_year: 2029,
      last4: '0000',
      latest_fraud_warning: null,
      metadata: form.metadata ?? {},
      personalization_design: null,
      replaced_by: null,
      replacement_for: null,
      replacement_reason: null,
      second_line: null,
      shipping: null,
      spending_controls: { ...noControls, ...form.spending_controls },
      status: form.status ?? 'inactive',
      type: form.type,
      wallets: null,
    });
    for (const limit of card.spending_controls.spending_limits) limit.categories ??= null;
    card.last4 = lastFourOf(card.id);
    account.emit('issuing_card.created', card);
    return card;
  },
  'GET /v1/issuing/cards': (account, { form }) => {
    const isOf = ({ cardholder }: Json) => form.cardholder === undefined || cardholder.id === form.cardholder;
    return account.page('/v1/issuing/cards', account.all('issuing.card', isOf), form);
  },
  'GET /v1/issuing/cards/{card}': (account, { ids: [id = ''], form }) => {
    const card = account.find(id, 'issuing.card');
    return form.expand?.includes('number') ? { ...card, number: cardNumberOf(card) } : card;
  },
  'POST /v1/issuing/cards/{card}': (account, { ids: [id = ''], form }) => {
    const card = account.find(id, 'issuing.card');
    if (form.metadata !== undefined) card.metadata = mergeMetadata(card.metadata, form.metadata);
    if (form.spending_controls !== undefined) Object.assign(card.spending_controls, form.spending_controls);
    for (const limit of card.spending_controls.spending_limits) limit.categories ??= null;
    if (form.status !== undefined) setStatus(account, card, form.status);
    return card;
  },
};

const KEY_SECONDS = 900;

export const ephemeralKeys: Resource = {
  'POST /v1/ephemeral_keys': (account, { form }) => {
    const card = account.find(form.issuing_card, 'issuing.card');
    if (!/^ephkn_\w+$/.test(form.nonce ?? '')) throw invalidRequest('No such nonce.', { param: 'nonce' });
    return account.add('ephkey', 'ephemeral_key', {
      expires: account.now() + KEY_SECONDS,
      secret: `ek_live_of_${card.id}`,
    });
  },
};
