import type { Page } from 'playwright-core';
import { holdGift } from '../../server/src/core/gifts/hold/hold-gift.ts';
import type { Environment } from '../../server/src/platform/base/environment.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { linkGift } from '../../server/test/harness/api-client.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import type { TestOrganization, TestService } from '../../server/test/harness/test-service.ts';

/** The demo organization with its month. */
export interface PicturedDemo extends Pick<TestOrganization, 'organizationId' | 'organizationUuid' | Environment> {
  service: TestService;
}

interface PictureOfAct {
  /** Of the organization's environment. */
  path: string;
  /** Opens what the picture shows. */
  open?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

async function buyLink(demo: PicturedDemo, environment: Environment) {
  const gift = { ...linkGift(5_000), category: 'books', personalization: { recipient_name: 'Grace Hopper' } };
  const { body } = await demo[environment].order([gift]);
  return { orderId: body.order_id as string, giftId: body.gifts[0].gift_id as string };
}

/** Prepares pictures of what admins do to gifts, keys and caps, mostly of open dialogs. */
export async function picturesOfActs(
  demo: PicturedDemo,
  environment: Environment,
): Promise<Record<string, PictureOfAct>> {
  const { deps } = demo.service.service;
  const [open, held, canceled] = [
    await buyLink(demo, environment),
    await buyLink(demo, environment),
    await buyLink(demo, environment),
  ];
  const scope = { organizationId: demo.organizationUuid, environment };
  await holdGift(deps, { scope, giftId: decodeId('gift', held.giftId) ?? '', actor: OPERATOR });
  await demo[environment].post(`/v1/gifts/${canceled.giftId}/cancel`, { reason: 'Ordered twice' });
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
    caps: { path: '/spending', open: press('Caps of all orders') },
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
