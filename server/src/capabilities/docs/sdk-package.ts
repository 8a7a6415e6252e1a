import { readFile } from 'node:fs/promises';
import { BestowError } from '../../platform/base/errors.ts';
import { type Asset, asset } from '../../platform/pages/asset-reply.ts';

/** Customers install it with `npm install ADDRESS/sdk.tgz`. */
export const SDK_PATH = '/sdk.tgz';
/** The build of the portal makes it. */
const BUILT = new URL('../../../../portal/dist/sdk.tgz', import.meta.url);

let read: Asset | undefined;

/** @throws BestowError `resource_missing` if the portal is not built */
export async function sdkPackage(): Promise<Asset> {
  const content = read?.content ?? (await readFile(BUILT).catch(() => undefined));
  if (content === undefined) throw new BestowError('resource_missing');
  read ??= asset(content, { contentType: 'application/gzip', cacheControl: 'public, max-age=300' });
  return read;
}
