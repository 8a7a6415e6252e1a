import { randomUUID } from 'node:crypto';
import { createKey } from '../../src/core/keys/create-key.ts';
import { importKey } from '../../src/core/keys/import-key.ts';
import { listKeys } from '../../src/core/keys/list-keys.ts';
import { revokeKey } from '../../src/core/keys/revoke-key.ts';
import { rollKey } from '../../src/core/keys/roll-key.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';

/** A legacy key is unique in the installation. */
const legacyKeys = new Map<string, string>();
const legacyKeyOf = (organizationId: string) => {
  const key = legacyKeys.get(organizationId) ?? `sk_${randomUUID()}`;
  legacyKeys.set(organizationId, key);
  return key;
};

/** The acts on API keys. */
export const auditedKeyActs = {
  'key.created': {
    act: (deps, { organizationId }, actor) =>
      createKey(deps, { organizationId, environment: 'live', name: 'Web shop', actor }),
    target: 'key_',
    environment: 'live',
    sentence: 'Created the key “Web shop”',
    isRepeatable: true,
  },
  'key.imported': {
    act: (deps, { organizationId }, actor) =>
      importKey(deps, {
        organizationId,
        environment: 'sandbox',
        name: 'Old shop',
        key: legacyKeyOf(organizationId),
        actor,
      }),
    target: 'key_',
    environment: 'sandbox',
    sentence: 'Imported the key “Old shop”',
  },
  'key.rolled': {
    prepare: async (deps, { organizationId }) => {
      const named = { organizationId, environment: 'live', name: 'Old', actor: OPERATOR } as const;
      return (await createKey(deps, named)).key_id;
    },
    act: (deps, { organizationId }, actor, keyId) => rollKey(deps, { organizationId, keyId, overlapHours: 24, actor }),
    target: 'key_',
    environment: 'live',
    sentence: 'Replaced the key “Old” with an overlap of 24 hours',
    isRepeatable: true,
  },
  'key.revoked': {
    prepare: async (deps, { organizationId }) => (await listKeys(deps, organizationId))[0]?.key_id,
    act: (deps, { organizationId }, actor, keyId) => revokeKey(deps, { organizationId, keyId, actor }),
    target: 'prepared',
    environment: 'live',
    sentence: 'Revoked the key “test”',
  },
} satisfies { [Name in Action & `key.${string}`]: AuditedAct };
