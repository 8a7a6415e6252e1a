import Provider from 'oidc-provider';
import type { PlatformDeps } from '../../platform/deps.ts';
import { NAMES } from './begun-sign-in.ts';
import { seal } from './seal.ts';

/** Browsers keep cookies of at most 4,096 bytes; `routes.ts` limits a sign-in to what two of them hold. */
const PART_LENGTH = 3_900;
const COOKIE = { path: '/', httpOnly: true, sameSite: 'lax', signed: false } as const;

/** Gives the sign-in that begins with this request to its browser, sealed. */
export function giveToBrowser(
  { cipher, clock }: Pick<PlatformDeps, 'cipher' | 'clock'>,
  id: string,
  payload: object,
  until: Date,
): void {
  const maxAge = until.getTime() - clock.now();
  const sealed = seal(cipher, 'sign-in', [id, payload], until);
  NAMES.forEach((name, index) => {
    const part = sealed.slice(index * PART_LENGTH, (index + 1) * PART_LENGTH);
    Provider.ctx?.cookies.set(name, part || null, { ...COOKIE, maxAge });
  });
}

/** Makes the browser forget the sign-in, which was answered. */
export function takeFromBrowser(): void {
  for (const name of NAMES) Provider.ctx?.cookies.set(name, null, COOKIE);
}
