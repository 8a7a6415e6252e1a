import { Type } from 'typebox';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { nullable } from '../../platform/api/schema.ts';
import type { StripeDeps } from '../stripe/open-stripe.ts';
import { findRule, setAutomaticTopup } from './automatic-topup.ts';
import { LARGEST_TOPUP_CENTS, SMALLEST_TOPUP_CENTS } from './fee.ts';
import { listTopups } from './list-topups.ts';
import { addCard, listCards, removeCard } from './payment-methods.ts';
import { requireStripe } from './require-stripe.ts';
import { AutomaticTopup, SavedCard, Topup, TopupOptions } from './schema.ts';
import { hasBankTransfers, showBankAccount } from './show-bank-account.ts';
import { payTopup, startCheckout } from './start-checkout.ts';

/** Only live balances are topped up. */
const PATH = '/organizations/{organization_id}/live/topups';
const Address = Type.Object({ url: Type.String({ description: 'The payment provider’s page.' }) });
const Amount = (rule: string) =>
  Type.Integer({ minimum: SMALLEST_TOPUP_CENTS, maximum: LARGEST_TOPUP_CENTS, 'x-rule': rule });

const AutomaticTopupInput = Type.Object({
  threshold: Type.Integer({
    minimum: 1,
    maximum: LARGEST_TOPUP_CENTS,
    'x-rule': 'must be from 0.01 to 500,000.00',
  }),
  method: Type.Union([Type.Literal('fixed'), Type.Literal('target')]),
  amount: Amount('must be from 10.00 to 500,000.00'),
  monthly_cap: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, 'x-rule': 'must be an amount above zero' }),
  payment_method_id: Type.String({ minLength: 1, maxLength: 200, 'x-rule': 'must be a saved card' }),
});

/** How organizations fund themselves (docs/topups.md). Without Stripe, each answers 404. */
export function topupRoutes(register: Register, deps: StripeDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listTopups',
      tag: 'Balance',
      summary: 'Top-ups, newest first, and how to add funds.',
      access: 'member',
      needs: 'money',
      query: Type.Object(pageQuery),
      response: Type.Object({ ...pageOf(Topup).properties, options: TopupOptions }),
    },
    async ({ member: { organizationId }, query }) => {
      const { config, currency } = requireStripe(deps);
      const [page, rule] = await Promise.all([
        listTopups(deps, organizationId, readPage(query)),
        findRule(deps, organizationId),
      ]);
      return {
        ...pageAnswer(page),
        options: {
          smallest: SMALLEST_TOPUP_CENTS,
          largest: LARGEST_TOPUP_CENTS,
          card_fee: { basis_points: config.cardFee.basisPoints, cents: config.cardFee.cents },
          has_bank_transfers: hasBankTransfers(currency),
          automatic: rule === undefined ? null : presentRule(rule),
        },
      };
    },
  );

  register(
    {
      method: 'POST',
      path: PATH,
      operationId: 'startTopup',
      tag: 'Balance',
      summary: 'Starts a top-up by card, which is paid on the payment provider’s page.',
      access: 'member',
      needs: 'pay',
      body: Type.Object({ amount: Amount('must be from 10.00 to 500,000.00') }),
      response: Address,
    },
    async ({ member, body }) => ({
      url: await startCheckout(deps, {
        organizationId: member.organizationId,
        amountCents: body.amount,
        actor: member.actor,
      }),
    }),
  );

  addPayRoutes(register, deps);
  addCardRoutes(register, deps);
  addAutomaticRoute(register, deps);
}

function addPayRoutes(register: Register, deps: StripeDeps): void {
  register(
    {
      method: 'POST',
      path: `${PATH}/{topup_id}/pay`,
      operationId: 'payTopup',
      tag: 'Balance',
      summary: 'Opens the page of a top-up that waits for its payer.',
      access: 'member',
      needs: 'pay',
      response: Address,
    },
    async ({ member, params }) => ({ url: await payTopup(deps, member.organizationId, params.topup_id) }),
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/bank-account`,
      operationId: 'showBankAccount',
      tag: 'Balance',
      summary: 'The organization’s own account for bank transfers; null if its currency has none.',
      access: 'member',
      needs: 'pay',
      response: Type.Object({
        account: nullable(Type.Array(Type.Object({ label: Type.String(), value: Type.String() }))),
      }),
    },
    async ({ member }) => ({ account: (await showBankAccount(deps, member.organizationId)) ?? null }),
  );
}

function addCardRoutes(register: Register, deps: StripeDeps): void {
  register(
    {
      method: 'GET',
      path: `${PATH}/cards`,
      operationId: 'listCards',
      tag: 'Balance',
      summary: 'The saved cards, as the payment provider has them.',
      access: 'member',
      needs: 'money',
      response: Type.Object({ data: Type.Array(SavedCard) }),
    },
    async ({ member }) => ({ data: await listCards(deps, member.organizationId) }),
  );

  register(
    {
      method: 'POST',
      path: `${PATH}/cards`,
      operationId: 'addCard',
      tag: 'Balance',
      summary: 'Opens the payment provider’s page that saves a card.',
      access: 'member',
      needs: 'pay',
      response: Address,
    },
    async ({ member }) => ({ url: await addCard(deps, member.organizationId) }),
  );

  register(
    {
      method: 'DELETE',
      path: `${PATH}/cards/{payment_method_id}`,
      operationId: 'removeCard',
      tag: 'Balance',
      summary: 'Removes a saved card; automatic top-ups with it are switched off.',
      access: 'member',
      needs: 'pay',
    },
    async ({ member, params }) => removeCard(deps, member.organizationId, params.payment_method_id),
  );
}

function addAutomaticRoute(register: Register, deps: StripeDeps): void {
  register(
    {
      method: 'PUT',
      path: `${PATH}/automatic`,
      operationId: 'setAutomaticTopup',
      tag: 'Balance',
      summary: 'Sets when and how a saved card is charged, and switches it on; null switches it off.',
      access: 'member',
      needs: 'pay',
      needsFreshSignIn: true,
      body: Type.Object({ rule: Type.Union([AutomaticTopupInput, Type.Null()]) }),
      response: Type.Object({ automatic: nullable(AutomaticTopup) }),
    },
    async ({ member: { organizationId, actor }, body: { rule } }) => {
      await setAutomaticTopup(deps, {
        organizationId,
        actor,
        rule: rule && {
          thresholdCents: rule.threshold,
          method: rule.method,
          amountCents: rule.amount,
          monthlyCapCents: rule.monthly_cap,
          paymentMethodId: rule.payment_method_id,
        },
      });
      const now = await findRule(deps, organizationId);
      return { automatic: now === undefined ? null : presentRule(now) };
    },
  );
}

const presentRule = (rule: NonNullable<Awaited<ReturnType<typeof findRule>>>) => ({
  is_on: rule.is_on,
  threshold: rule.threshold_cents,
  method: rule.method,
  amount: rule.amount_cents,
  monthly_cap: rule.monthly_cap_cents,
  payment_method_id: rule.payment_method_id,
  card: rule.card,
  off_reason: rule.off_reason,
});
