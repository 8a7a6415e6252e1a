import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { codeOf } from '../../../server/test/harness/portal-client.ts';
import {
  startTestService,
  type TestOrganization,
  type TestService,
} from '../../../server/test/harness/test-service.ts';
import { LOOKS, launchBrowser, openVisit, type Visit } from './browser.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const ADMIN = 'admin@example.com';
export const MEMBER = 'member@example.com';

/** A visit signs in again after this time, so that it may change everything. */
const FRESH_MS = 5 * 60_000;

/** A service with the built portal and a browser. */
export interface BrowsedService {
  service: TestService;
  browser: Browser;
  /** Opens a visit that is signed in as this person; `null`: signed out. */
  visit(email?: string | null, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** The same with an organization. */
export interface PortalService extends BrowsedService {
  organization: TestOrganization;
  /** The URL of a page of the organization, such as `/keys`. */
  at(page: string, environment?: 'live' | 'sandbox'): string;
}

export async function startPortal(variables: Record<string, string> = {}): Promise<PortalService> {
  const service = await startTestService({ RATE_LIMIT_ADDRESS_PER_SECOND: '100000', ...variables });
  const organization = await service.organization();
  await organization.addMembers();
  return {
    ...(await browse(service)),
    organization,
    at: (page, environment = 'sandbox') => `/portal/${organization.organizationId}/${environment}${page}`,
  };
}

export async function browse(service: TestService): Promise<BrowsedService> {
  const browser = await launchBrowser();
  const states = new Map<string, { state: Awaited<ReturnType<BrowserContext['storageState']>>; signedInAt: number }>();

  async function signIn(context: BrowserContext, email: string): Promise<void> {
    const call = async (path: string, data: object) => {
      const answer = await context.request.post(`${service.url}/portal/api/auth${path}`, {
        data,
        headers: { origin: service.url },
      });
      assert.equal(answer.status(), 200, await answer.text());
    };
    await expectCode(service);
    await call('/email-otp/send-verification-otp', { email, type: 'sign-in' });
    await call('/sign-in/email-otp', { email, otp: await codeOf(service, email) });
  }

  return {
    service,
    browser,
    async visit(email = ADMIN, options = {}) {
      const known = email === null ? undefined : states.get(email);
      const isFresh = known !== undefined && service.clock.now() - known.signedInAt < FRESH_MS;
      const storageState = isFresh ? known.state : undefined;
      const visit = await openVisit(browser, service.url, { ...options, ...(storageState && { storageState }) });
      if (email !== null && storageState === undefined) {
        await signIn(visit.context, email);
        states.set(email, { state: await visit.context.storageState(), signedInAt: service.clock.now() });
      }
      return visit;
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

/** Returns axe's violations, and whether the page is wider than its window. */
export async function findFaults(page: Page): Promise<string[]> {
  // Wait for colour transitions, which change the contrast.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  // Evaluated by the debugger, because the content security policy blocks scripts.
  await page.evaluate(`${axeSource}; void 0`);
  // Collecting only violations takes 0.15 s a page instead of 0.25. Previews in frames allow no script, so axe cannot look inside.
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], iframes: false })`,
  )) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
  const [inside, outside] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number];
  return inside > outside ? [...faults, `${inside - outside} pixels wider than the window`] : faults;
}

/** Signs in on the sign-in page by typing the address and the code. */
export async function typeCode(page: Page, service: TestService, email: string): Promise<void> {
  await expectCode(service);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const field = page.getByLabel('Code', { exact: true });
  await field.waitFor();
  // The sixth digit submits.
  await field.fill(await codeOf(service, email));
}

/** Signs in by a code in the dialog above a page. */
export async function signInAbove(page: Page, service: TestService, email: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.getByText(email).waitFor();
  await expectCode(service);
  await dialog.getByRole('button', { name: 'Send code' }).click();
  await dialog.getByLabel('Code from the email').fill(await codeOf(service, email));
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Resets rate limits and deletes earlier codes, so that `codeOf` waits for the next one. */
export async function expectCode(service: TestService): Promise<void> {
  await service.clock.jump(120_000);
  await service.sql('delete from portal.codes');
}

/** Exports the page's list; returns the file's name and its lines. */
export async function exportCsv(page: Page): Promise<{ name: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), lines: text.trimEnd().split('\r\n') };
}

/** Takes a picture in each size and theme. @param path without `-390-light.png` */
export async function takePictures(page: Page, path: string): Promise<void> {
  for (const width of [390, 1_280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png`, fullPage: true, animations: 'disabled' });
    }
}

/**
 * Asserts that axe passes in every size and theme; with PICTURES, takes pictures too.
 *
 * @param name of the pictures
 */
export async function look(page: Page, name: string): Promise<void> {
  await assertFaultless(page);
  const directory = process.env['PICTURES'];
  if (directory !== undefined) await takePictures(page, `${directory}/${name}`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Opens each page, waits for its text and asserts that axe passes. */
export async function assertFaultlessPages(page: Page, pages: readonly (readonly [string, string])[]): Promise<void> {
  for (const [address, text] of pages) {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
    await assertFaultless(page);
  }
}

/** Asserts that axe passes in every size and theme. Resizes the page, because opening a new one takes a second of CPU. */
export async function assertFaultless(page: Page): Promise<void> {
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findFaults(page), [], `${page.url()} ${viewport.width} ${colorScheme}`);
  }
}
