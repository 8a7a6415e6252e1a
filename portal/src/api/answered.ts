import type { Middleware } from 'openapi-fetch';
import { api } from './client.ts';

const answered = new Set<string>();

/** Notes which operations were done, for the act that sent them. */
export const noteAnswered: Middleware = {
  onResponse({ request: { method }, response: { ok }, schemaPath }) {
    if (ok && method !== 'GET') answered.add(`${method} ${schemaPath}`);
  },
};
// Not in client.ts: pages without acts do without.
api.use(noteAnswered);

/** The operations that were done since the last call, such as `PUT /portal/api/me/name`. */
export function takeAnswered(): readonly string[] {
  const taken = [...answered];
  answered.clear();
  return taken;
}
