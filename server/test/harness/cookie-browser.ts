import assert from 'node:assert/strict';
import { codeOf, keepCookies } from './portal-client.ts';
import type { TestService } from './test-service.ts';
import { totp } from './totp.ts';

/** Keeps cookies as a browser does. */
export interface CookieBrowser {
  /** Values by name. */
  cookies: Map<string, string>;
  call(method: string, path: string, body?: object): Promise<{ status: number; text: string }>;
}

/** @param address of the service, which is also the origin of the calls */
export function openCookieBrowser(address: string): CookieBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call(method, path, body) {
      const response = await fetch(`${address}/portal/api${path}`, {
        method,
        headers: {
          origin: address,
          'content-type': 'application/json',
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      keepCookies(cookies, response.headers);
      return { status: response.status, text: await response.text() };
    },
  };
}

/** Enters the code from a mail; returns the browser and the answer, which may ask for a second factor. */
export async function enterMailedCode(
  service: TestService,
  email: string,
  { url = service.url, browser = openCookieBrowser(url), afterMs = 120_000 } = {},
): Promise<{ browser: CookieBrowser; answer: object }> {
  // Lets the limits of earlier attempts expire.
  await service.clock.jump(afterMs);
  await service.sql('delete from portal.codes');
  await browser.call('POST', '/auth/email-otp/send-verification-otp', { email, type: 'sign-in' });
  const otp = await codeOf(service, email);
  const { status, text } = await browser.call('POST', '/auth/sign-in/email-otp', { email, otp });
  assert.equal(status, 200, text);
  return { browser, answer: JSON.parse(text) };
}

/** Starts to set up an authenticator app; returns what it shows and the recovery codes. */
export async function enableApp({ clock }: TestService, browser: CookieBrowser) {
  const { totpURI, backupCodes } = JSON.parse((await browser.call('POST', '/auth/two-factor/enable', {})).text);
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  /** The code that the app shows some milliseconds from now. */
  const shown = (afterMs = 0) => totp(secret, clock.now() + afterMs);
  const prove = (code = shown()) => browser.call('POST', '/auth/two-factor/verify-totp', { code });
  return { shown, prove, recoveryCodes: backupCodes as string[] };
}
