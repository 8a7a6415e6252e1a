import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent by a page of another site. There is no cookie that such a page could misuse; this keeps it from
 * pressing a recipient's buttons with a link that it got hold of. Browsers send `Origin: null` from these pages, because
 * they ask for no referrer; then `Sec-Fetch-Site` tells.
 */
export function isForeignForm(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || (origin !== new URL(publicUrl).origin && new URL(origin).host !== host);
}
