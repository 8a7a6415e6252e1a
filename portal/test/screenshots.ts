// `npm run screenshots -- DIRECTORY` takes pictures of every portal page with a month of made-up data, and of every state of a
// gift for its recipient, on a phone and a desktop, in light and dark; `index.html` shows all. With `--readme` it updates the
// picture of the README, with `--only NAME,…` it takes only these of the portal.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { admitted } from '../../server/src/authentication/caller.ts';
import type { Environment } from '../../server/src/base/environment.ts';
import { decodeId } from '../../server/src/base/ids.ts';
import { spendCard } from '../../server/src/cards/spend-card.ts';
import { claimGift } from '../../server/src/gifts/claim-gift.ts';
import { openGift } from '../../server/src/gifts/open-gift.ts';
import { openTestServer } from '../../server/test/test-server.ts';
import { writeContactSheet } from './contact-sheet.ts';
import { takeGiftPictures } from './gift-pictures.ts';
import { DESKTOP, PHONE } from './harness/browser.ts';
import { ADMIN, type PortalService, startPortal } from './harness/portal.ts';
import { picturesOfActs } from './screenshot-acts.ts';

const DAY_MS = 86_400_000;
/** Less than the lifetime of a session. */
const DAYS = 28;
const environments = ['live', 'sandbox'] as const;
const names = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Edsger Dijkstra', 'Barbara Liskov'];
const categories = ['coffee', 'books', 'travel'];
const amounts = [2_500, 5_000, 1_500, 10_000, 7_500];

interface Story {
  /** A gift that bounced, was sent to another address, opened, claimed and spent. */
  giftId: string;
  orderId: string;
  requestId: string;
  /** A webhook endpoint whose first attempts failed. */
  endpointId: string;
}

/** Creates the orders of a day. Their fate depends on their number, so that every run gives the same data. */
async function orderOnDay(portal: PortalService, environment: Environment, day: number): Promise<void> {
  const { service, organization } = portal;
  const scope = { organizationId: organization.organizationUuid, environment };
  for (let n = 0; n < 1 + ((day * 7) % 5); n += 1) {
    const gifts = Array.from({ length: 1 + ((day + n) % 3) }, (_, i) => {
      const number = day * 11 + n * 5 + i;
      const name = names[number % names.length] ?? '';
      return {
        amount: amounts[number % amounts.length],
        category: categories[number % categories.length],
        delivery:
          number % 4 === 3
            ? { method: 'phone', phone: `+1202555${String(1_000 + number)}` }
            : { method: 'email', email: `${name.toLowerCase().replace(' ', '.')}@acme.example` },
        personalization: { recipient_name: name },
      };
    });
    const { body } = await organization[environment].order(gifts);
    for (const [i, { gift_id: giftId }] of body.gifts.entries()) {
      const uuid = decodeId('gift', giftId) ?? '';
      const fate = (day * 3 + n + i) % 6;
      if (fate === 0) await fail(portal, uuid, day);
      if (fate > 1 && fate < 5) await openGift(service.service.deps, admitted(scope), uuid);
      if (fate > 2 && fate < 5) await claimGift(service.service.deps, admitted(scope), uuid);
    }
  }
}

const MINUTE_MS = 60_000;

/** Creates a gift with every event, starting with a failed delivery. */
async function createStory(portal: PortalService, environment: Environment): Promise<Story> {
  const { service, organization } = portal;
  const api = organization[environment];
  const { deps } = service.service;
  const scope = { organizationId: organization.organizationUuid, environment };
  const caller = admitted(scope);
  // Loopback is refused, so the deliveries fail.
  const endpoint = await api.post('/v1/webhook_endpoints', {
    url: 'https://localhost:8443/in',
    description: 'Web shop',
  });
  const { body, headers } = await api.order([
    {
      amount: 7_500,
      category: 'travel',
      delivery: { method: 'email', email: 'ada@old-job.example' },
      personalization: { recipient_name: 'Ada Lovelace', sender_name: 'Charles Babbage' },
    },
  ]);
  const [{ gift_id: giftId }] = body.gifts;
  const uuid = decodeId('gift', giftId) ?? '';
  await service.clock.jump(2 * MINUTE_MS);
  await fail(portal, uuid, 0);
  await service.clock.jump(47 * MINUTE_MS);
  await api.put(`/v1/gifts/${giftId}/delivery`, { method: 'email', email: 'ada@acme.example' });
  await service.clock.jump(13 * MINUTE_MS);
  await openGift(deps, caller, uuid);
  await service.clock.jump(MINUTE_MS);
  const claimed = await claimGift(deps, caller, uuid);
  const claimedAt = new Date(service.clock.now());
  await service.clock.jump(190 * MINUTE_MS);
  // A gift has one card with the same id.
  const card = { ...scope, giftId: uuid, cardId: uuid, valueCents: claimed.amount_cents, spentCents: 0, claimedAt };
  const purchase = { purchaseId: deps.ids.next(), merchant: 'Rail and Ferry', amountCents: 4_250 };
  await spendCard(deps, caller, { ...card, issued: undefined }, purchase);
  await service.clock.jump(20 * MINUTE_MS);
  // The request log is written every second.
  await service.clock.advance(2_000);
  const endpointId = endpoint.body.endpoint_id;
  return { giftId, orderId: body.order_id, requestId: headers.get('request-id') ?? '', endpointId };
}

async function fail({ service }: PortalService, giftId: string, day: number): Promise<void> {
  const reason = day % 2 === 0 ? 'The mailbox does not exist.' : 'The mailbox is full.';
  const now = new Date(service.clock.now());
  await service.sql(
    `update deliveries set state = 'failed', reason = $2, tries = 1, provider = 'smtp', sent_at = $3, settled_at = $3 where gift_id = $1`,
    [giftId, reason, now],
  );
  await service.sql(`update gifts set delivery_state = 'failed' where gift_id = $1`, [giftId]);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const [directory = 'docs/pictures'] = positionals;
const isForReadme = values.readme;
const only = values.only?.split(',');
await mkdir(directory, { recursive: true });
const root = fileURLToPath(new URL('../..', import.meta.url));
spawnSync(process.execPath, ['scripts/build-portal.js'], { cwd: root, stdio: 'inherit' });
const closeTestServer = await openTestServer();
try {
  const portal = await startPortal();
  const { service, organization } = portal;
  await service.sql(`update organizations set name = 'Harbour & Finch'`);
  await service.sql(
    `update categories set name = initcap(category_id), artwork = '/artwork/' || category_id || '.svg'`,
  );
  await organization.fund('live', 400_000);
  for (let day = 0; day < DAYS; day += 1) {
    for (const environment of environments) await orderOnDay(portal, environment, day);
    await service.clock.jump(DAY_MS);
  }
  const stories = {
    live: await createStory(portal, 'live'),
    sandbox: await createStory(portal, 'sandbox'),
  };

  interface Look {
    isPhone: boolean;
    isDark: boolean;
    open?: ((page: Page) => Promise<unknown>) | undefined;
  }

  /** Makes the window as high as the page: frames below the window are not drawn. */
  const makeWhole = async (page: Page) => {
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
    await page.setViewportSize({ width: page.viewportSize()?.width ?? DESKTOP.width, height });
    await page.waitForTimeout(100);
  };

  const shoot = async (file: string, path: string, { isPhone, isDark, open }: Look) => {
    await using visit = await portal.visit(path === '/portal/sign-in' ? null : ADMIN, {
      viewport: isPhone ? PHONE : { ...DESKTOP, height: 860 },
      colorScheme: isDark ? 'dark' : 'light',
      deviceScaleFactor: isForReadme ? 1.5 : 1,
    });
    await visit.page.goto(path);
    await visit.page.waitForLoadState('networkidle');
    await open?.(visit.page);
    const fullPage = !isForReadme && open === undefined;
    if (fullPage) await makeWhole(visit.page);
    await visit.page.screenshot({ path: join(directory, `${file}.png`), fullPage, animations: 'disabled' });
  };

  if (isForReadme) {
    await shoot('overview', portal.at('', 'live'), { isPhone: false, isDark: false });
  } else {
    for (const environment of environments) {
      const story = stories[environment];
      const month = new Date(service.clock.now()).toISOString().slice(0, 7);
      const pages = {
        overview: '',
        gifts: '/gifts',
        send: '/gifts/send',
        gift: `/gifts/${story.giftId}`,
        orders: '/orders',
        order: `/orders/${story.orderId}`,
        balance: '/balance',
        statement: `/balance/statements/${month}`,
        reconcile: '/balance/reconcile',
        keys: '/keys',
        agents: '/agents',
        webhooks: '/webhooks',
        webhook: `/webhooks/${story.endpointId}`,
        requests: '/requests',
        request: `/requests/${story.requestId}`,
        testing: '/testing',
        members: '/members',
        audit: '/audit',
        brand: '/brand',
        settings: '/settings',
      };
      const shown = {
        ...Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, { path }])),
        ...(await picturesOfActs(portal, environment)),
      };
      for (const [name, { path, open }] of Object.entries<{ path: string; open?: Look['open'] }>(shown)) {
        if (only !== undefined && !only.includes(name)) continue;
        for (const isPhone of [false, true])
          for (const isDark of [false, true]) {
            const look = `${isPhone ? 'phone' : 'desktop'}-${isDark ? 'dark' : 'light'}`;
            await shoot(`${name}-${environment}-${look}`, portal.at(path, environment), { isPhone, isDark, open });
          }
      }
    }
    if (only === undefined) await takeGiftPictures(service, portal.browser, directory);
    await writeContactSheet(directory);
  }
  await portal.close();
} finally {
  await closeTestServer();
}
