import { requestGift } from '../../capabilities/gift-requests/request-gift.ts';
import { saveView } from '../../capabilities/gift-views/change-views.ts';
import { addEndpoint } from '../../capabilities/webhooks/add-endpoint.ts';
import { editEndpoint } from '../../capabilities/webhooks/edit-endpoint.ts';
import { pushOnce } from '../../capabilities/webhooks/push-once.ts';
import type { Answer, Sender } from '../../capabilities/webhooks/send-push.ts';
import { addFunds } from '../../core/balances/change-balance.ts';
import { setCaps } from '../../core/caps/set-caps.ts';
import { setBrand } from '../../core/face/set-brand.ts';
import { createGrant } from '../../core/grants/create-grant.ts';
import { PRESETS } from '../../core/grants/grant.ts';
import { createKey } from '../../core/keys/create-key.ts';
import { revokeKey } from '../../core/keys/revoke-key.ts';
import { setProgram } from '../../core/organizations/set-program.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Environment } from '../../platform/base/environment.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { environments, type Month, scopeOf } from './month.ts';
import { DAY_MS, HOUR_MS } from './month-gifts.ts';

/** In cents, by the day of the month. */
const LIVE_FUNDS = [
  { day: 0, amountCents: 400_000, reference: 'INV-2041' },
  { day: 14, amountCents: 300_000, reference: 'INV-2077' },
  { day: 24, amountCents: 300_000, reference: 'INV-2102' },
] as const;
const DAY_CAP_CENTS = 500_000;
/** The fewest days after which unclaimed gifts can expire. */
const EXPIRY_DAYS = 30;

/** Sets the organization up, and plans the rest of what is not about gifts. */
export async function setUp(month: Month, startMs: number): Promise<void> {
  const { deps, agenda, admin } = month;
  const organizationId = encodeId('org', month.organizationId);
  await setBrand(deps, {
    organizationId: month.organizationId,
    brand: {
      color: '#0f4c81',
      text_color: '#ffffff',
      footer: `${month.organizationName}, 1 Harbour Street`,
      sender_name: null,
      reply_to: null,
      subject: 'A gift from {sender}',
    },
    actor: admin,
  });
  for (const { day, amountCents, reference } of LIVE_FUNDS)
    agenda.plan(startMs + day * DAY_MS, async () => {
      const note = 'Bank transfer';
      await addFunds(deps, { organizationId, environment: 'live', amountCents, reference, note, actor: admin });
    });
  for (const environment of environments) {
    await setCaps(deps, { organizationId, environment, actor: admin, amounts: { day: DAY_CAP_CENTS } });
    const { key_id: keyId } = await createKey(deps, {
      organizationId,
      environment,
      name: 'Old web shop',
      actor: admin,
    });
    agenda.plan(startMs + 12 * DAY_MS, async () => {
      await revokeKey(deps, { organizationId, keyId, actor: admin });
    });
    agenda.plan(startMs + 16 * DAY_MS, () => connectAgent(month, environment));
  }
  await saveViews(month);
}

/** Gifts that are ordered while it is on expire within the month. */
export async function setExpiry({ deps, organizationId, admin }: Month, isOn: boolean): Promise<void> {
  await setProgram(deps, {
    organizationId: encodeId('org', organizationId),
    program: 'award',
    actor: admin,
    unclaimedAfterDays: isOn ? EXPIRY_DAYS : null,
    reminderDays: [],
  });
}

async function connectAgent({ deps, organizationId, admin }: Month, environment: Environment): Promise<void> {
  const { permissions, reach, limits } = PRESETS.own_gifts;
  await createGrant(deps, {
    organizationId: encodeId('org', organizationId),
    environment,
    name: 'Assistant of the sales team',
    terms: { permissions, reach, recipient_domains: ['acme.example'], members_only: false, categories: null },
    limits,
    expiresAt: undefined,
    actor: admin,
  });
}

async function saveViews({ deps, organizationId, admin }: Month): Promise<void> {
  const owner = { organizationId, memberId: admin.memberId };
  await saveView(deps, owner, { name: 'Not delivered', search: { status: 'failed' } });
  await saveView(deps, owner, { name: 'Coffee by email', search: { category: 'coffee', method: 'email' } });
}

/** A member asks for a gift; the request waits for the admin. */
export async function askForGift(month: Month, environment: Environment): Promise<void> {
  const { deps, member, organizationName } = month;
  await requestGift(deps, scopeOf(month, environment), {
    formId: deps.ids.next(),
    gift: {
      amount: 4_000,
      category: 'dining',
      delivery: { method: 'email', email: 'annie.easley@acme.example' },
      personalization: { recipient_name: 'Annie Easley', message: 'For the best demo of the year.' },
    },
    actor: member,
    organizationName,
  });
}

const SHOP_URL = 'https://shop.example/bestow';
const ACCOUNTING_URL = 'https://accounting.example/webhooks';
/** From then on its server says that the address is gone, which switches the endpoint off. */
const GONE_AFTER_MS = 20 * HOUR_MS;

/** Answers in the place of two servers; nothing leaves this process. */
function createAnswers({ clock }: Month['deps']): Sender {
  const goneAtMs = clock.now() + GONE_AFTER_MS;
  const answer = (status: number, error: string | null, body: string): Answer => ({
    isAccepted: error === null,
    status,
    error,
    body,
    durationMs: 120,
    retryAfterMs: undefined,
  });
  return {
    async send({ url }) {
      if (url === SHOP_URL) return answer(200, null, '{"ok":true}');
      return clock.now() < goneAtMs
        ? answer(503, 'The answer was 503.', 'Service unavailable')
        : answer(410, 'The answer was 410, so the endpoint was switched off.', 'Gone');
    },
    abort: () => undefined,
    close: () => undefined,
  };
}

/** Adds an endpoint that accepts its events and one that does not, pushes for a while, and switches both off. */
export async function addWebhooks(month: Month, environment: Environment): Promise<{ endpointId: string }> {
  const { deps, agenda, admin: actor } = month;
  const caller = admitted(scopeOf(month, environment));
  const add = async (url: string, description: string) => {
    const input = { url, description, types: null, isOrdered: false };
    return (await addEndpoint(deps, { caller, input, actor })).endpoint.endpoint_id;
  };
  const shop = await add(SHOP_URL, 'Web shop');
  const accounting = await add(ACCOUNTING_URL, 'Accounting');
  const answers = createAnswers(deps);
  for (const hours of [1, 2, 4, 8, 16, 24, 32]) agenda.after(hours * HOUR_MS, () => pushOnce(deps, answers));
  // Switched off, because their events would otherwise leave with the next start of the service.
  agenda.after(33 * HOUR_MS, async () => {
    await editEndpoint(deps, { caller, endpointId: shop, actor }, { status: 'disabled' });
    await editEndpoint(deps, { caller, endpointId: accounting, actor }, { status: 'disabled' });
  });
  return { endpointId: encodeId('wh', accounting) };
}
