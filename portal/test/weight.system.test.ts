import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gift } from '../../server/test/harness/api-client.ts';
import { ADMIN, type PortalService, startPortal } from './harness/portal.ts';

/** What the first page costs. */

const MOST_SCRIPT_BYTES = 200_000;

let portal: PortalService;
before(async () => {
  portal = await startPortal();
  // An order makes the overview load its charts, the heaviest part.
  await portal.organization.sandbox.order([gift()]);
});
after(() => portal?.close());

interface Resource {
  name: string;
  encodedBodySize: number;
}

for (const [name, email, path, heading] of [
  ['sign-in', null, '/portal/sign-in', 'Sign in'],
  ['the overview', ADMIN, undefined, 'Overview'],
] as const)
  test(`${name} loads less than ${MOST_SCRIPT_BYTES / 1000} kB of scripts`, async () => {
    await using visit = await portal.visit(email);
    const { page } = visit;
    await page.goto(path ?? portal.at(''));
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    const resources = (await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
    )) as Resource[];
    const scripts = resources.filter(({ name: url }) => url.endsWith('.js'));
    const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    assert.ok(scripts.length > 0 && bytes < MOST_SCRIPT_BYTES, `${bytes} bytes: ${JSON.stringify(scripts)}`);
  });
