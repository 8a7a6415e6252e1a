import { hash } from 'node:crypto';

/**
 * Returns the SHA-256 of a JSON value in hexadecimal; key order and white space do not matter (docs/decisions.md#retry).
 *
 * @param body a body that its schema accepted, which bounds its depth
 */
export const fingerprintOf = (body: unknown): string => hash('sha256', JSON.stringify(sortKeys(body)));

/** Sorts keys. Our bodies have no integer-like keys, which JavaScript would move first. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sortKeys(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
