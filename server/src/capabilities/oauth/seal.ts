import type { Cipher } from '../../platform/encryption/cipher.ts';

/** What strangers have us remember; no row holds it before a signed-in person has come to the page. */
type Kind = 'client' | 'sign-in';

/** Seals a value, so that a stranger keeps it for us until a time. */
export const seal = (cipher: Cipher, kind: Kind, value: unknown, until: Date): string =>
  cipher.encrypt(JSON.stringify([kind, until.getTime(), value]));

/** Opens what `seal` made; undefined if it has ended, is of another kind, or no known secret opens it. */
export function openSeal(cipher: Cipher, kind: Kind, sealed: string, now: Date) {
  const text = cipher.decrypt(sealed);
  if (text?.startsWith(`["${kind}",`) !== true) return undefined;
  const [, untilMs, value] = JSON.parse(text) as [Kind, number, unknown];
  return now.getTime() < untilMs ? { value, until: new Date(untilMs) } : undefined;
}
