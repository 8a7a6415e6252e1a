import { encodeId } from '../../src/platform/base/ids.ts';
import { type Stripe, startStripe } from '../capabilities/stripe/server.ts';
import type { TestOrganization, TestService } from './test-service.ts';

export interface ChosenStripe {
  stripe: Stripe;
  issuerId: string;
}

export const TERMS_VERSION = '2026-11-01';

/** A recipient's answers to the form of a claim with Stripe. */
export const stripeForm = {
  first_name: 'Zoë',
  last_name: 'O’Neill-García',
  date_of_birth: '1990-02-28',
  phone: '+14155550100',
  line1: '510 Townsend St #4',
  city: 'San Francisco',
  state: 'ca',
  postal_code: '94103',
  terms: TERMS_VERSION,
};

/** Chooses a card issuer of an adapter for all live gifts of an organization. @returns the URL that it calls */
export async function chooseIssuer(
  service: TestService,
  { organizationUuid, organizationId }: TestOrganization,
  kind: string,
  settings: Record<string, string>,
): Promise<{ issuerId: string; hooks: string }> {
  const { deps } = service.service;
  const issuerId = deps.ids.next();
  await service.sql(
    'insert into issuers (organization_id, issuer_id, kind, settings, created_at) values ($1, $2, $3, $4, $5)',
    [organizationUuid, issuerId, kind, deps.cipher.encrypt(JSON.stringify(settings)), new Date(deps.clock.now())],
  );
  return { issuerId, hooks: `${service.url}/hooks/issuers/${organizationId}/${encodeId('iss', issuerId)}` };
}

/** What an operator sets for this account. */
export const stripeSettings = (account: Stripe) => ({
  secret_key: account.secretKey,
  publishable_key: 'pk_live_of_the_fake',
  webhook_secret: account.webhooks.secret,
  authorization_secret: account.questions.secret,
  terms_url: 'https://bank.example/terms',
  terms_version: TERMS_VERSION,
  api_base: account.url,
});

/** Chooses a new account at the fake of Stripe for all live gifts of an organization. */
export async function chooseStripe(
  service: TestService,
  organization: TestOrganization,
  stripe?: Stripe,
): Promise<ChosenStripe> {
  const account = stripe ?? (await startStripe(service.clock));
  const { issuerId, hooks } = await chooseIssuer(service, organization, 'stripe', stripeSettings(account));
  account.webhooks.url = `${hooks}/events`;
  account.questions.url = `${hooks}/authorizations`;
  return { stripe: account, issuerId };
}
