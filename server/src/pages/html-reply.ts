import type { FastifyReply } from 'fastify';

interface HtmlReplyOptions {
  /** Default `no-store`: most pages are about one person's gift. */
  cacheControl?: string;
  /** Addresses of images that the page shows; those on other hosts are let through the policy. */
  imageUrls?: readonly (string | null)[];
  /** Instead of the policy that all other pages have. */
  contentSecurityPolicy?: string;
}

// A host may hold characters that end a directive of the policy; such an image is not shown.
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

/** The other hosts that these images come from, as a policy names them. */
function originsOf(imageUrls: readonly (string | null)[]): string[] {
  const origins = imageUrls.flatMap((url) => (url !== null && URL.canParse(url) ? [new URL(url).origin] : []));
  return [...new Set(origins)].filter((origin) => PLAIN_ORIGIN.test(origin));
}

/** No script, no inline style, nothing from other hosts but the images named. */
export function pagePolicy(imageUrls: readonly (string | null)[] = []): string {
  const images = ["'self'", 'data:', ...originsOf(imageUrls)].join(' ');
  return `default-src 'none'; style-src 'self'; img-src ${images}; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
}

/** A letter has its styles within it; it runs nothing, and may be shown in a frame of a page of ours. */
export function letterPolicy(imageUrls: readonly (string | null)[]): string {
  const images = ["'self'", ...originsOf(imageUrls)].join(' ');
  return `default-src 'none'; style-src 'unsafe-inline'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`;
}

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

/** For pages that are the same for everyone and change only with the catalog or a release: five minutes. */
export const PUBLIC_PAGE_CACHE = 'public, max-age=300';
