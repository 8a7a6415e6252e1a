import { hostname, userInfo } from 'node:os';
import type { Actor } from '../base/actor.ts';

/** Whoever runs this command. */
export const operator = (): Actor => ({ kind: 'operator', name: userName(), address: hostname() });

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a process may run under a number that no user has.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
