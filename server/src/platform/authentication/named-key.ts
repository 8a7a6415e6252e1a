import type { Actor } from '../base/actor.ts';
import { encodeId } from '../base/ids.ts';
import type { Caller } from './caller.ts';

/** Adds the key that an earlier statement of the request found, so that the audit log records its act. */
export const namedKey = (actor: Actor, { found, isAgent = false }: Caller): Actor =>
  actor.kind === 'key' && found?.key_id != null ? { ...actor, keyId: encodeId('key', found.key_id), isAgent } : actor;
