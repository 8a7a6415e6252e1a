import { hash } from 'node:crypto';

/**
 * SHA-256 of a body as a JSON value, in hexadecimal digits: member order and white space do not matter (decisions, «Same
 * body»). Only for bodies that their schema accepted, which bounds their depth and knows their members.
 */
export const fingerprint = (body: unknown): string => hash('sha256', JSON.stringify(inOrder(body)));

/** The same with its members in the order of their names, which none of ours upsets by being a number. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) ordered[name] = inOrder((value as Record<string, unknown>)[name]);
  return ordered;
}
