import { createHash } from 'node:crypto';
import { BadRequestError, type Lithic, UnprocessableEntityError } from 'lithic';
import type { IssueOutcome, IssueRequest } from '../../../core/issuer/port.ts';
import { encodeId } from '../../../platform/base/ids.ts';
import { NOT_ACCEPTED, NOT_POSSIBLE } from '../refusal-reasons.ts';

/** Lithic's keys are UUIDs. */
const uuidOf = (key: string): string =>
  createHash('sha256')
    .update(key)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-5$3-8$4-$5');

/** The card's memo: its key, which begins with its gift, by which it is found again, and its value. */
const memoOf = ({ idempotencyKey, valueCents }: IssueRequest) => `${idempotencyKey} ${valueCents}`;

/** Returns the gift of a card's memo, as `gift_…`. */
export const giftOf = (memo = ''): string | undefined => /^gift_[0-9a-z]+(?=-\d+ \d+$)/.exec(memo)?.[0];

const isInvalid = (error: unknown) => error instanceof BadRequestError || error instanceof UnprocessableEntityError;

/**
 * Creates the account holder and a paused card, or finds the gift's.
 *
 * @throws if the answer is not about this gift
 */
export async function issueCard(
  client: Lithic,
  brand: string,
  request: IssueRequest,
  signal: AbortSignal,
): Promise<IssueOutcome> {
  const memo = memoOf(request);
  const gift = encodeId('gift', request.giftId);
  for await (const card of client.cards.list({ memo: gift }, { signal }))
    if (card.memo === memo || (giftOf(card.memo) === gift && card.state !== 'CLOSED')) return issued(card, brand);
  let reason = NOT_ACCEPTED;
  try {
    const holder = await holderOf(client, request, signal);
    if (holder.status === 'REJECTED') return { state: 'refused', reason };
    if (holder.status !== 'ACCEPTED') return { state: 'pending' };
    reason = NOT_POSSIBLE;
    return issued(await createCard(client, request, holder, signal), brand);
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // A card that exists after all stays paused.
    return { state: 'refused', reason };
  }
}

async function createCard(
  client: Lithic,
  request: IssueRequest,
  { account_token = '' }: Holder,
  signal: AbortSignal,
): Promise<Lithic.NonPCICard> {
  const memo = memoOf(request);
  const card = await client.cards.create(
    {
      type: 'VIRTUAL',
      account_token,
      memo,
      spend_limit: request.valueCents,
      spend_limit_duration: 'FOREVER',
      state: 'PAUSED',
      'Idempotency-Key': uuidOf(request.idempotencyKey),
    },
    { signal },
  );
  if (card.memo !== memo) throw new Error('Lithic answered with another card.');
  return card;
}

interface Holder {
  account_token?: string;
  status?: string;
  external_id?: string;
}

const isOf = (holder: Holder, key: string) => (holder.external_id ?? key) === key;

async function holderOf(client: Lithic, request: IssueRequest, signal: AbortSignal): Promise<Holder> {
  const external_id = request.idempotencyKey;
  const { fields } = request.entered;
  for await (const holder of client.accountHolders.list({ external_id }, { signal }))
    if (isOf(holder, external_id)) return holder;
  const holder: Holder = await client.accountHolders.create(
    {
      workflow: 'KYC_EXEMPT',
      kyc_exemption_type: 'PREPAID_CARD_USER',
      first_name: fields['first_name'] ?? '',
      last_name: fields['last_name'] ?? '',
      email: fields['email'] ?? '',
      phone_number: fields['phone'] ?? '',
      address: {
        address1: fields['line1'] ?? '',
        ...(fields['line2'] === undefined ? {} : { address2: fields['line2'] }),
        city: fields['city'] ?? '',
        state: (fields['state'] ?? '').toUpperCase(),
        postal_code: fields['postal_code'] ?? '',
        country: 'USA',
      },
      external_id,
    },
    { signal },
  );
  if (!isOf(holder, external_id)) throw new Error('Lithic answered with another account holder.');
  return holder;
}

const issued = ({ token, last_four, exp_month, exp_year }: Lithic.NonPCICard, brand: string): IssueOutcome => ({
  state: 'issued',
  providerId: token,
  face: { brand, lastFour: last_four, expires: { month: Number(exp_month), year: Number(exp_year) } },
});
