import { hostname, userInfo } from 'node:os';
import type { Actor } from '../base/actor.ts';

/** The user who runs this command. */
export const operator = (): Actor => ({ kind: 'operator', name: userName(), address: hostname() });

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user id may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
