import type { TestService } from './test-service.ts';

export interface RecipientAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** A recipient's browser: it keeps the cookie, and can be at several gifts. */
export interface Recipient {
  /** @param query such as `?search=coffee` */
  view(link: string, query?: string): Promise<RecipientAnswer>;
  press(link: string, act: string, fields?: Record<string, string>): Promise<RecipientAnswer>;
  cookie(): string;
}

export function createRecipient({ url }: Pick<TestService, 'url'>): Recipient {
  let cookie = '';
  async function call(path: string, init: RequestInit): Promise<RecipientAnswer> {
    const response = await fetch(`${url}/g/${path}`, {
      ...init,
      redirect: 'manual',
      headers: { origin: url, ...(cookie === '' ? {} : { cookie }) },
    });
    for (const set of response.headers.getSetCookie()) cookie = set.split(';', 1)[0] ?? '';
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
  return {
    view: (link, query = '') => call(link.slice(-76) + query, {}),
    press: (link, act, fields = {}) =>
      call(`${link.slice(-76)}/${act}`, { method: 'POST', body: new URLSearchParams(fields).toString() }),
    cookie: () => cookie,
  };
}

/** The card's number on a page, or undefined. */
export const numberOn = ({ text }: RecipientAnswer): string | undefined =>
  /class="digits">([\d ]{15,})</.exec(text)?.[1];
