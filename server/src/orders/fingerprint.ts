import { createHash } from 'node:crypto';

/**
 * SHA-256 of a body as a JSON value: member order and white space do not matter (decisions, «Same body»). Only for
 * bodies that their schema accepted, which bounds their depth.
 */
export function fingerprint(body: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(body)).digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
