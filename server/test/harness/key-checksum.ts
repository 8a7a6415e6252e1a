import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

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
