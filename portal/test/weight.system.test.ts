import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift, linkGift } from '../../server/test/harness/api-client.ts';
import { ADMIN, type PortalService, startPortal } from './harness/portal.ts';

/** What a first visit transfers, in bytes of compressed bodies. docs/performance.md has the sizes. */

let portal: PortalService;
let giftPath: string;
before(async () => {
  portal = await startPortal();
  await portal.service.sql(`update categories set artwork = '/artwork/' || category_id || '.svg'`);
  // An order makes the overview load its charts, the heaviest part.
  const { body } = await portal.organization.sandbox.order([gift(), linkGift()]);
  giftPath = new URL(body.gifts[1].delivery.link).pathname;
});
after(() => portal?.close());

interface Transferred {
  url: string;
  bytes: number;
}

interface Visited {
  path: () => string;
  heading: string | RegExp;
  /** Buttons that are pressed, one after the other. */
  buttons?: readonly string[];
}

async function transfer({ path, heading, buttons = [] }: Visited): Promise<Transferred[]> {
  await using visit = await portal.visit(null);
  const { page, context } = visit;
  const network = await context.newCDPSession(page);
  const heads = new Map<string, Transferred>();
  const transferred: Transferred[] = [];
  network.on('Network.responseReceived', ({ requestId, response: { url, encodedDataLength: bytes } }) =>
    heads.set(requestId, { url, bytes }),
  );
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { url = '', bytes = 0 } = heads.get(requestId) ?? {};
    transferred.push({ url, bytes: Math.max(0, encodedDataLength - bytes) });
  });
  await network.send('Network.enable');
  await page.goto(path());
  for (const name of buttons) {
    if (name === 'Claim') await page.getByLabel('Or a PIN, six digits').fill('271828');
    await page.getByRole('button', { name }).click();
  }
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return transferred;
}

const sum = (some: Transferred[]) => some.reduce((total, { bytes }) => total + bytes, 0);

for (const [name, mostBytes, visited] of [
  ['a gift, from the wrapped one to the card', 40_000, { heading: /card for/, buttons: ['Unwrap', 'Claim'] }],
  ['a guide', 60_000, { path: () => '/docs/quickstart', heading: 'Quickstart' }],
  ['the longest guide', 60_000, { path: () => '/docs/errors', heading: 'Errors' }],
  ['the API reference', 60_000, { path: () => '/docs/api', heading: 'API reference' }],
  ['the landing page', 60_000, { path: () => '/', heading: /./ }],
  ['the sign-in', 200_000, { path: () => '/portal/sign-in', heading: 'Sign in' }],
] as const)
  test(`${name} transfers at most ${mostBytes / 1_000} kB`, async () => {
    const transferred = await transfer({ path: () => giftPath, ...visited });
    assert.ok(transferred.length > 1 && sum(transferred) <= mostBytes, JSON.stringify(transferred));
  });

test('the overview transfers at most 200 kB of scripts, and without its charts 200 kB in all', async () => {
  await using visit = await portal.visit(ADMIN);
  const { page } = visit;
  await page.goto(portal.at(''));
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const transferred = (await page.evaluate(
    `performance.getEntries().filter(({ encodedBodySize }) => encodedBodySize > 0)
       .map(({ name: url, encodedBodySize: bytes }) => ({ url, bytes }))`,
  )) as Transferred[];
  const charts = transferred.filter(({ url }) => url.includes('charts'));
  const scripts = transferred.filter(({ url }) => url.endsWith('.js'));
  assert.ok(charts.length > 0 && sum(scripts) <= 200_000, JSON.stringify(scripts));
  assert.ok(sum(transferred) - sum(charts) <= 200_000, JSON.stringify(transferred));
});
