import type { Page } from 'playwright-core';
import type { Environment } from '../../server/src/base/environment.ts';
import { decodeId } from '../../server/src/base/ids.ts';
import { setCaps } from '../../server/src/caps/set-caps.ts';
import { holdGift } from '../../server/src/gifts/hold-gift.ts';
import { createGrant } from '../../server/src/grants/create-grant.ts';
import { PRESETS } from '../../server/src/grants/grant.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import type { PortalService } from './harness/portal.ts';

interface PictureOfAct {
  /** Of the organization's environment. */
  path: string;
  /** Opens what the picture shows. */
  open?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

async function buyLink({ organization }: PortalService, environment: Environment) {
  const gift = { ...linkGift(5_000), category: 'books', personalization: { recipient_name: 'Grace Hopper' } };
  const { body } = await organization[environment].order([gift]);
  return { orderId: body.order_id as string, giftId: body.gifts[0].gift_id as string };
}

/** Prepares pictures of what admins do to gifts, keys and caps, mostly of open dialogs. */
export async function picturesOfActs(
  portal: PortalService,
  environment: Environment,
): Promise<Record<string, PictureOfAct>> {
  const { service, organization } = portal;
  const { deps } = service.service;
  const [open, held, canceled] = [
    await buyLink(portal, environment),
    await buyLink(portal, environment),
    await buyLink(portal, environment),
  ];
  const scope = { organizationId: organization.organizationUuid, environment };
  await holdGift(deps, { scope, giftId: decodeId('gift', held.giftId) ?? '', actor: OPERATOR });
  await organization[environment].post(`/v1/gifts/${canceled.giftId}/cancel`, { reason: 'Ordered twice' });
  const { organizationId } = organization;
  await setCaps(deps, { organizationId, environment, actor: OPERATOR, amounts: { hour: 50_000, day: 200_000 } });
  const { permissions, reach, limits } = PRESETS.own_gifts;
  await createGrant(deps, {
    ...{
      organizationId,
      environment,
      name: 'Assistant of the sales team',
      limits,
      expiresAt: undefined,
      actor: OPERATOR,
    },
    terms: { permissions, reach, recipient_domains: ['acme.example'], members_only: false, categories: null },
  });
  const ofGift = (act: string): PictureOfAct => ({ path: `/gifts/${open.giftId}`, open: press(act) });
  return {
    'gift-cancel': ofGift('Cancel gift'),
    'gift-hold': ofGift('Put on hold'),
    'gift-new-link': ofGift('Replace link'),
    'gift-open': { path: `/gifts/${open.giftId}` },
    'gift-held': { path: `/gifts/${held.giftId}` },
    'gift-canceled': { path: `/gifts/${canceled.giftId}` },
    'gifts-filtered': { path: '/gifts?status=sent&method=email&category=coffee&from=2026-12-01' },
    'order-cancel': { path: `/orders/${open.orderId}`, open: press('Cancel unclaimed gifts') },
    'hold-all': { path: '/settings', open: press('Hold all unclaimed gifts') },
    caps: { path: '/balance', open: press(/^Change the caps of/) },
    'agent-create': { path: '/agents', open: press(/^New (?:live|sandbox) agent/) },
    'agent-limits': { path: '/agents', open: press(/^Change limits/) },
    'key-roll': { path: '/keys', open: press(/^Replace /) },
    'key-create': {
      path: '/keys',
      async open(page) {
        await press(/^Create a (?:live|sandbox) key/)(page);
        await page.getByText('Limits (optional)').click();
      },
    },
  };
}
