import type { Metadata } from './reference-schema.ts';

/** The caller's own id and data of an order or gift; null or undefined if they were not given. */
export interface References {
  external_id?: string | null | undefined;
  metadata?: Metadata | null | undefined;
}

/** The fields that were given. */
export const referencesOf = ({ external_id, metadata }: References): References => ({
  ...(external_id == null ? {} : { external_id }),
  ...(metadata == null ? {} : { metadata }),
});

/** The fields of an answer, in one order: PostgreSQL does not keep the order of keys. */
export const presentReferences = ({ external_id, metadata }: References) => ({
  ...(external_id == null ? {} : { external_id }),
  ...(metadata == null ? {} : { metadata: Object.fromEntries(Object.entries(metadata).sort(byKey)) }),
});

const byKey = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1);
