import { readFileSync } from 'node:fs';
import { type Asset, asset } from '../../platform/pages/asset-reply.ts';
import { builtInCategories } from './built-in.ts';

const ARTWORK_DIRECTORY = new URL('artwork/', import.meta.url);

const A_DAY = 'public, max-age=86400';

const drawing = (id: string) =>
  asset(readFileSync(new URL(`${id}.svg`, ARTWORK_DIRECTORY)), { contentType: 'image/svg+xml', cacheControl: A_DAY });

/** A 600 pixel PNG of the drawing, for mail programs, which show no SVG. */
const picture = (id: string) =>
  asset(readFileSync(new URL(`${id}.png`, ARTWORK_DIRECTORY)), { contentType: 'image/png', cacheControl: A_DAY });

export const artworkFiles: ReadonlyMap<string, Asset> = new Map(
  builtInCategories.flatMap(({ id }): [string, Asset][] => [
    [`${id}.svg`, drawing(id)],
    [`${id}.png`, picture(id)],
  ]),
);

/**
 * Returns the URL of a category's artwork in a format that mail programs show, or null.
 *
 * @param artwork a URL, or a path of this service
 */
export function mailArtworkUrl(artwork: string | null, publicUrl: string): string | null {
  const png = artwork?.replace(/^\/artwork\/([a-z0-9-]+)\.svg$/, '/artwork/$1.png') ?? '';
  const isShown = png !== '' && !/\.svg$/i.test(png.replace(/[?#].*$/s, ''));
  if (!isShown) return null;
  return png.startsWith('/') ? publicUrl + png : png;
}
