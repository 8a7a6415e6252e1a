import { callerOf } from '../../../platform/authentication/caller.ts';
import { findEndOfFeed } from '../../feed/read-feed.ts';
import type { Act } from './act.ts';

/** Shorter than hosts wait for a tool. */
const MAX_WAIT_SECONDS = 20;

export const waitForEvents: Act = async ({ deps, request, given, call }) => {
  const after = given['after'] ?? (await findEndOfFeed(deps, callerOf(request)));
  const wait = given['wait'] ?? MAX_WAIT_SECONDS;
  const seconds = typeof wait === 'number' ? Math.min(wait, MAX_WAIT_SECONDS) : wait;
  return call('listEvents', { ...given, after, wait: seconds });
};
