import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../../server/test/harness/chromium.ts';
import { HUNG_AFTER_MS } from '../../../server/test/harness/server-process.ts';

/** Resolves to this machine, but unlike `localhost` it is not a secure context. */
export const PLAIN_NAME = 'bestow.test';

// Turns off the browser's background requests.
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

/** Each size and each theme once, because axe takes a second a page. */
export const LOOKS = [
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
  /** Console errors and warnings, and exceptions. */
  complaints: string[];
}

/** Opens a browser context with its own cookies and storage. */
export async function openVisit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, locale: 'en-US', ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  // Only ends a wait for ever: a busy machine took longer than half a minute.
  page.setDefaultTimeout(HUNG_AFTER_MS);
  const foreign: string[] = [];
  const complaints: string[] = [];
  // A mail names the service's public address.
  const own = [url, url.replace('127.0.0.1', 'localhost')];
  page.on('request', (request) => {
    if (![...own.map((address) => `${address}/`), 'data:'].some((start) => request.url().startsWith(start)))
      foreign.push(request.url());
  });
  page.on('console', (message) => {
    // Chromium logs every 4xx answer, including expected ones.
    if (!/status of 4\d\d/.test(message.text()) && ['error', 'warning'].includes(message.type()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { context, page, foreign, complaints, [Symbol.asyncDispose]: () => context.close() };
}
