// `npm run screenshots -- DIRECTORY` takes pictures of every portal page with the month of `bestow seed --demo`, and of every state of a
// gift for its recipient, on a phone and a desktop, in light and dark; `index.html` shows all. With `--readme` it updates the
// picture of the README, with `--only NAME,…` it takes only these of the portal.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import type { Environment } from '../../server/src/platform/base/environment.ts';
import { decodeId } from '../../server/src/platform/base/ids.ts';
import { environments } from '../../server/src/surfaces/seed/month.ts';
import { type SeededMonth, seedMonth } from '../../server/src/surfaces/seed/seed-month.ts';
import { OPERATOR } from '../../server/test/harness/operator.ts';
import { createTestDatabase } from '../../server/test/harness/test-database.ts';
import { startTestServiceOn } from '../../server/test/harness/test-service.ts';
import { openTestServer } from '../../server/test/test-server.ts';
import { writeContactSheet } from './contact-sheet.ts';
import { takeGiftPictures } from './gift-pictures.ts';
import { DESKTOP, PHONE } from './harness/browser.ts';
import { browse } from './harness/portal.ts';
import { type PicturedDemo, picturesOfActs } from './screenshot-acts.ts';

/** Calls for the API log, which has seven days; returns the id of the last. */
async function callApi(demo: PicturedDemo, environment: Environment): Promise<string> {
  const api = demo[environment];
  await api.get('/v1/balance');
  await api.get('/v1/gifts?status=failed');
  await api.order([{ amount: 0, category: 'coffee', delivery: { method: 'link' } }]);
  const { headers } = await api.get('/v1/orders?limit=2');
  // The log is written every second.
  await demo.service.clock.advance(2_000);
  return headers.get('request-id') ?? '';
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
  const service = await startTestServiceOn(await createTestDatabase(), { RATE_LIMIT_ADDRESS_PER_SECOND: '100000' });
  const {
    organization_id: organizationId,
    admin_email: admin,
    keys,
    stories,
  }: SeededMonth = await seedMonth(service.service.deps, { actor: OPERATOR });
  const demo: PicturedDemo = {
    service,
    organizationId,
    organizationUuid: decodeId('org', organizationId) ?? '',
    live: service.api(keys.live),
    sandbox: service.api(keys.sandbox),
  };
  const portal = await browse(service);
  const at = (page: string, environment: Environment) => `/portal/${organizationId}/${environment}${page}`;

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
    await using visit = await portal.visit(path === '/portal/sign-in' ? null : admin, {
      viewport: isPhone ? PHONE : { ...DESKTOP, height: isForReadme ? 1_090 : 860 },
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
    await shoot('overview', at('', 'live'), { isPhone: false, isDark: false });
  } else {
    for (const environment of environments) {
      const story = stories[environment];
      const month = new Date(service.clock.now()).toISOString().slice(0, 7);
      const pages = {
        overview: '',
        gifts: '/gifts',
        send: '/gifts/send',
        templates: '/gifts/templates',
        gift: `/gifts/${story.giftId}`,
        contacts: '/contacts',
        'contacts-import': '/contacts/import',
        calendar: '/calendar',
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
        request: `/requests/${await callApi(demo, environment)}`,
        testing: '/testing',
        members: '/members',
        roles: '/members/roles',
        teams: '/members/teams',
        audit: '/audit',
        brand: '/brand',
        settings: '/settings',
      };
      const shown = {
        ...Object.fromEntries(Object.entries(pages).map(([name, path]) => [name, { path }])),
        ...(await picturesOfActs(demo, environment)),
      };
      for (const [name, { path, open }] of Object.entries<{ path: string; open?: Look['open'] }>(shown)) {
        if (only !== undefined && !only.includes(name)) continue;
        for (const isPhone of [false, true])
          for (const isDark of [false, true]) {
            const look = `${isPhone ? 'phone' : 'desktop'}-${isDark ? 'dark' : 'light'}`;
            await shoot(`${name}-${environment}-${look}`, at(path, environment), { isPhone, isDark, open });
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
