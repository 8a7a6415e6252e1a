import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { workOnEvent } from '../../src/capabilities/provider-events/work-on-event.ts';
import { STRIPE } from '../../src/capabilities/stripe/event-provider.ts';
import { handleStripeEvent } from '../../src/capabilities/topups/handle-stripe-event.ts';
import { workOnTopup } from '../../src/capabilities/topups/work-on-topup.ts';
import { type Account, accounts } from '../../src/core/balances/accounts.ts';
import { readTrialBalance } from '../../src/core/balances/trial-balance.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { type Stripe, startStripe } from '../capabilities/stripe/server.ts';
import type { DeliveryPlan } from '../capabilities/stripe/webhooks.ts';
import { balanceOf, verifyAll } from './ledger.ts';
import { createPortalClient, type PortalClient } from './portal-client.ts';
import { startTestService, type TestOrganization, type TestService } from './test-service.ts';

/** A service with an account at Stripe; what the fake sends waits until `deliver`. */
export interface TopupService extends TestService {
  stripe: Stripe;
  /** Sends the waiting webhooks, and does the work of the jobs until nothing is left. */
  settle(plan?: DeliveryPlan): Promise<void>;
  closeAll(): Promise<void>;
}

export async function startTopupService(
  variables: Record<string, string> = {},
  start: (variables: Record<string, string>) => Promise<TestService> = startTestService,
): Promise<TopupService> {
  let service: TestService | undefined;
  const stripe = await startStripe({ now: () => service?.clock.now() ?? 0 });
  const opened = start({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhooks.secret,
    STRIPE_API_BASE: stripe.url,
    ...variables,
  });
  service = await opened.catch(async (error) => {
    await stripe.close();
    throw error;
  });
  stripe.webhooks.url = `${service.url}/hooks/stripe`;
  const whole: TopupService = Object.assign(service, {
    stripe,
    settle: async (plan: DeliveryPlan = {}) => {
      do {
        for (const { status, body } of await stripe.webhooks.deliver(plan)) assert.equal(status, 200, body);
      } while ((await workOnAll(whole)) || stripe.webhooks.waiting.length > 0);
    },
    closeAll: async () => {
      await whole.close();
      await stripe.close();
    },
  });
  return whole;
}

/**
 * Starts the same for the tests of a file, and checks the ledger after them. Call it at the top of a test file.
 *
 * @returns an object that is empty until the tests run
 */
export function openTopups(variables: Record<string, string> = {}): TopupService {
  const opened = {} as TopupService;
  before(async () => {
    Object.assign(opened, await startTopupService(variables));
  });
  after(async () => {
    await verifyAll(opened);
    await opened.closeAll();
  });
  return opened;
}

/** Works on every event and top-up as their jobs do, without waiting for the queue. @returns whether there was any */
export async function workOnAll(service: TestService): Promise<boolean> {
  const { deps } = service.service;
  const events = await service.sql<{ event_id: string }>(
    'select event_id from portal.provider_events where processed_at is null',
  );
  for (const { event_id: eventId } of events)
    await workOnEvent(deps, { [STRIPE]: handleStripeEvent(deps) }, { provider: STRIPE, eventId });
  const topups = await service.sql<{ organization_id: string; topup_id: string }>(
    `select organization_id, topup_id from topups where state = 'pending' and kind <> 'checkout' and payment_id is null`,
  );
  for (const { organization_id: organizationId, topup_id: topupId } of topups)
    await workOnTopup(deps, organizationId, topupId);
  return events.length + topups.length > 0;
}

export interface Funded {
  organization: TestOrganization;
  client: PortalClient;
  path: string;
}

/** An organization without funds and its admin in the portal. */
export async function newPayer(
  service: TestService,
  cents: Partial<Record<Environment, number>> = {},
): Promise<Funded> {
  const organization = await service.organization({ live: 0, sandbox: 0, ...cents });
  const client = await createPortalClient(service, 'admin@example.com');
  return { organization, client, path: `/organizations/${organization.organizationId}/live/topups` };
}

/** The live balance in cents. */
export const liveBalance = (service: TestService, { organization }: Funded) => balanceOf(service, organization, 'live');

/** The top-ups as the portal lists them, newest first. */
export const topupsOf = async ({ client, path }: Funded) => (await client.call('GET', path)).body.data;

/** Cents that are owed, as the portal shows them. */
export const owedBy = async ({ client, organization }: Funded): Promise<number> =>
  (await client.call('GET', `/organizations/${organization.organizationId}/live/balance`)).body.owed;

/** The live accounts that are not zero; together they are. */
export async function accountsOf(service: TestService, { organization }: Funded) {
  const { environments } = await readTrialBalance(service.service.deps, {
    at: new Date(service.clock.now() + 500),
    organizationId: organization.organizationId,
  });
  const live = environments.find(({ environment }) => environment === 'live');
  assert.equal(live?.sum, 0);
  const names = Object.keys(accounts) as Account[];
  return Object.fromEntries(names.flatMap((name) => (live.accounts[name] === 0 ? [] : [[name, live.accounts[name]]])));
}

/** The organization's customer at Stripe. */
export async function customerOf(service: TestService, { organization }: Funded): Promise<string> {
  const [row] = await service.sql<{ customer_id: string }>(
    'select customer_id from topup_customers where organization_id = $1',
    [organization.organizationUuid],
  );
  return row?.customer_id ?? '';
}

/** Pays a top-up by card. @returns the payment's id */
export async function topUp(service: TopupService, { client, path }: Funded, amount: number, card = '4242') {
  const { status, body } = await client.call('POST', path, { amount });
  assert.equal(status, 200, JSON.stringify(body));
  const session = service.stripe.acts.pay(card, service.stripe.account.objects.get(body.url.split('/').at(-1)));
  return session.payment_intent as string;
}
