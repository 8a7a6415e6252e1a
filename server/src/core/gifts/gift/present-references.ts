import type { Metadata } from './reference-schema.ts';

/** The caller's own id and data of an order or gift; null or undefined if they were not given. */
export interface References {
  external_id?: string | null | undefined;
  metadata?: Metadata | null | undefined;
}

interface GivenReferences {
  external_id?: string;
  metadata?: Metadata;
}

/** The fields that were given. */
export const referencesOf = ({ external_id, metadata }: References): GivenReferences => ({
  ...(external_id == null ? {} : { external_id }),
  ...(metadata == null ? {} : { metadata }),
});

/** Metadata in one order: PostgreSQL does not keep the order of keys. */
export const inOneOrder = (metadata: References['metadata']): Metadata | undefined =>
  metadata == null ? undefined : Object.fromEntries(Object.entries(metadata).sort(byKey));

/** The fields of an answer. */
export const presentReferences = ({ external_id, metadata }: References): GivenReferences =>
  referencesOf({ external_id, metadata: inOneOrder(metadata) });

const byKey = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1);
