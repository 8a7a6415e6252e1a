import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../../server/test/harness/chromium.ts';

/** Leads to this machine, and is no secure context as `localhost` is: so is a service in a company's network. */
export const PLAIN_NAME = 'bestow.test';

// A test's browser asks nobody for anything of its own accord.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${PLAIN_NAME} 127.0.0.1`,
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** A phone in both themes, and a desktop in one: axe takes a second a page, and a theme changes colours alone. */
export const LOOKS = [
  { viewport: PHONE, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
  { viewport: DESKTOP, colorScheme: 'light' },
] as const;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ARGUMENTS });

export interface Visit extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Requests to any other host. */
  foreign: string[];
  /** Errors and warnings of the console, such as what the policy refused, and exceptions. */
  complaints: string[];
}

/** A browser of its own for one test: its cookies and storage are gone with it. */
export async function openVisit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, locale: 'en-US', ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  // On a busy machine too; what does not come at all is told late, and seldom.
  page.setDefaultTimeout(30_000);
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  page.on('console', (message) => {
    // A refusal has its status, which Chromium reports whatever the page makes of it.
    if (!/status of 4\d\d/.test(message.text()) && ['error', 'warning'].includes(message.type()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { context, page, foreign, complaints, [Symbol.asyncDispose]: () => context.close() };
}
