import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../platform/base/actor.ts';

/** The user who runs this command; under sudo, the user who called it. */
export const operator = (): Actor => ({ kind: 'operator', name: NAME, address: hostname() });

/** Read at the start: root may become another user later. */
const NAME = userName();

function userName(): string {
  const caller = process.env['SUDO_USER'];
  // Only root can be called by sudo; for others the variable means nothing.
  if (process.getuid?.() === 0 && caller !== undefined && /^[\w.@-]{1,64}$/.test(caller)) return caller;
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
