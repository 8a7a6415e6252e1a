import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../src/platform/base/environment.ts';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Appends a key's checksum. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let count = 0; count < 6; count += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return body + digits;
}

/** Creates a key of the earlier form, which does not name its organization. */
export function createEarlierKey(environment: Environment): string {
  const random = Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('');
  return withChecksum(`bestow-${environment === 'live' ? '' : 'sandbox-'}${random}`);
}
