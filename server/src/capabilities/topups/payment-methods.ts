import { BestowError } from '../../platform/base/errors.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { findCustomer, requireCustomer } from './customer.ts';
import { requireStripe } from './require-stripe.ts';
import { selectRule, switchRuleOff } from './rule-queries.ts';
import { returnUrls } from './start-checkout.ts';

type MethodDeps = Pick<StripeDeps, 'clock' | 'config' | 'database' | 'publicUrl' | 'stripe'>;

const MOST_CARDS = 20;

export interface SavedCard {
  payment_method_id: string;
  /** Brand and last four digits. */
  card: string;
  expires: string;
}

/** The cards that an organization saved; they are at Stripe only. @param organizationId UUID */
export async function listCards(deps: MethodDeps, organizationId: string): Promise<SavedCard[]> {
  const { client } = requireStripe(deps);
  const customer = await findCustomer(deps, organizationId);
  if (customer === undefined) return [];
  const { data } = await client.customers.listPaymentMethods(customer, { type: 'card', limit: MOST_CARDS });
  return data.flatMap(({ id, card }) =>
    card === undefined
      ? []
      : [
          {
            payment_method_id: id,
            card: `${card.brand} ${card.last4}`,
            expires: `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`,
          },
        ],
  );
}

/** Opens Stripe's page that saves a card without charging it. @returns its address */
export async function addCard(deps: MethodDeps, organizationId: string): Promise<string> {
  const { client, currency } = requireStripe(deps);
  const { url } = await client.checkout.sessions.create({
    mode: 'setup',
    currency,
    customer: await requireCustomer(deps, organizationId),
    client_reference_id: encodeId('org', organizationId),
    ...returnUrls(deps, organizationId),
    success_url: returnUrls(deps, organizationId).cancel_url,
  });
  return url as string;
}

/** Removes a card, and switches automatic top-ups with it off. @throws BestowError `not_found` */
export async function removeCard(deps: MethodDeps, organizationId: string, paymentMethodId: string): Promise<void> {
  const { client } = requireStripe(deps);
  if (!(await listCards(deps, organizationId)).some((card) => card.payment_method_id === paymentMethodId))
    throw new BestowError('not_found');
  const [rule] = await selectRule(deps.database.pool, [organizationId]);
  if (rule?.payment_method_id === paymentMethodId) await switchRuleOff(deps.database.pool, [organizationId, null]);
  await client.paymentMethods.detach(paymentMethodId);
}
