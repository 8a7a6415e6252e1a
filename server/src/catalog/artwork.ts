import { readFileSync } from 'node:fs';
import { type Asset, asset } from '../pages/asset-reply.ts';
import { builtInCategories } from './built-in.ts';

const ARTWORK_DIRECTORY = new URL('artwork/', import.meta.url);

const A_DAY = 'public, max-age=86400';

const drawing = (id: string) =>
  asset(readFileSync(new URL(`${id}.svg`, ARTWORK_DIRECTORY)), { contentType: 'image/svg+xml', cacheControl: A_DAY });

/** For mail programs, which show no SVG: the drawing as Chromium shows it 600 pixels wide, in at most 256 colours. */
const picture = (id: string) =>
  asset(readFileSync(new URL(`${id}.png`, ARTWORK_DIRECTORY)), { contentType: 'image/png', cacheControl: A_DAY });

/** The artwork that the service brings, by file name. */
export const artworkFiles: ReadonlyMap<string, Asset> = new Map(
  builtInCategories.flatMap(({ id }): [string, Asset][] => [
    [`${id}.svg`, drawing(id)],
    [`${id}.png`, picture(id)],
  ]),
);

/**
 * The address of a category's picture as mail programs can show it; null where there is none.
 *
 * @param artwork a category's artwork: absolute, or a path of this service
 */
export function mailArtworkUrl(artwork: string | null, publicUrl: string): string | null {
  const png = artwork?.replace(/^\/artwork\/([a-z0-9-]+)\.svg$/, '/artwork/$1.png') ?? '';
  const isShown = png !== '' && !/\.svg$/i.test(png.replace(/[?#].*$/s, ''));
  if (!isShown) return null;
  return png.startsWith('/') ? publicUrl + png : png;
}
