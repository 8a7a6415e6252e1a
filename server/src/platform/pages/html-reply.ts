import type { FastifyReply } from 'fastify';

interface HtmlReplyOptions {
  /** Default `no-store`: most pages are about one person's gift. */
  cacheControl?: string;
  /** Images on the page. The policy allows the hosts of these images. */
  imageUrls?: readonly (string | null)[];
  /** Replaces the default policy. */
  contentSecurityPolicy?: string;
}

// Other characters in a host could end a directive of the policy, so such an image is blocked.
const PLAIN_ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9.:[\]-]+$/;

/** Returns the origins of the images on other hosts. */
function originsOf(imageUrls: readonly (string | null)[]): string[] {
  const origins = imageUrls.flatMap((url) => (url !== null && URL.canParse(url) ? [new URL(url).origin] : []));
  return [...new Set(origins)].filter((origin) => PLAIN_ORIGIN.test(origin));
}

/** What a card's issuer shows on our page. */
export interface Embedded {
  frames?: readonly string[];
  scripts?: readonly string[];
  /** Hosts that the scripts call. */
  connects?: readonly string[];
  /** Hosts to which a button leads. Browsers hold the answer to a form against the policy, too. */
  targets?: readonly string[];
}

/** Allows no scripts, no inline styles, and from other hosts only these images and what is embedded. */
export function pagePolicy(imageUrls: readonly (string | null)[] = [], embedded: Embedded = {}): string {
  const { frames = [], scripts = [], connects = [], targets = [] } = embedded;
  // Ours: with an issuer's script, one that calls this service; or one that copies.
  const own = scripts.length > 0 ? " 'self'" : '';
  const more = Object.entries({ 'frame-src': frames, 'script-src': scripts, 'connect-src': connects })
    .flatMap(([directive, urls]) =>
      urls.length > 0 ? [`; ${[directive, ...originsOf(urls)].join(' ')}${directive === 'frame-src' ? '' : own}`] : [],
    )
    .join('');
  const images = ["'self'", 'data:', ...originsOf(imageUrls)].join(' ');
  const forms = ["'self'", ...originsOf(targets)].join(' ');
  return `default-src 'none'; style-src 'self'; img-src ${images}; font-src 'self'; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'${more}`;
}

/** The policy of a page with a script of ours. */
export const scriptedPolicy = (imageUrls: readonly (string | null)[] = []): string =>
  `${pagePolicy(imageUrls)}; script-src 'self'`;

/** The policy of a mail: inline styles, no scripts, and only our pages may frame it. */
export function mailPolicy(imageUrls: readonly (string | null)[]): string {
  const images = ["'self'", ...originsOf(imageUrls)].join(' ');
  return `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`;
}

/** The policy of a mail whose height the page around it measures. Without scripts, the same origin gives the mail nothing. */
export const measuredMailPolicy = (imageUrls: readonly (string | null)[]): string =>
  `${mailPolicy(imageUrls)} allow-same-origin`;

/** The policy of a page that is shown to try it: nothing on it acts, and only our pages may frame it. */
export const triedPagePolicy = (imageUrls: readonly (string | null)[]): string =>
  `${pagePolicy(imageUrls).replace("form-action 'self'; frame-ancestors 'none'", "form-action 'none'; frame-ancestors 'self'")}; sandbox`;

/** Sends a page with the headers that all pages need. */
export function htmlReply(
  reply: FastifyReply,
  document: string,
  status = 200,
  { cacheControl = 'no-store', imageUrls = [], contentSecurityPolicy = pagePolicy(imageUrls) }: HtmlReplyOptions = {},
): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': cacheControl,
    })
    .send(document);
}

/** For pages that are the same for everyone: five minutes. */
export const PUBLIC_PAGE_CACHE = 'public, max-age=300';
