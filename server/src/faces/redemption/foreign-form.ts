import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of another site sent a form. Such a page must not press the buttons of a link that it knows. Our pages send
 * `Origin: null` because of their referrer policy; `Sec-Fetch-Site` then decides.
 */
export function isForeignForm(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || (origin !== new URL(publicUrl).origin && new URL(origin).host !== host);
}
