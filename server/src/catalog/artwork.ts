import { readFileSync } from 'node:fs';
import { type Asset, asset } from '../pages/asset-reply.ts';
import { builtInCategories } from './built-in.ts';

const ARTWORK_DIRECTORY = new URL('artwork/', import.meta.url);

/** The artwork that the service brings, by file name. */
export const artworkFiles: ReadonlyMap<string, Asset> = new Map(
  builtInCategories.map(({ id }) => [
    `${id}.svg`,
    asset(readFileSync(new URL(`${id}.svg`, ARTWORK_DIRECTORY)), {
      contentType: 'image/svg+xml',
      cacheControl: 'public, max-age=86400',
      contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'",
    }),
  ]),
);
