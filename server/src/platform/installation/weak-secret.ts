import { deflateRawSync } from 'node:zlib';

/** In files that were published with earlier releases; with them anyone could sign links. */
const PUBLISHED = ['REPLACE-ME-WITH-32-CHARACTERS-OR-MORE', 'for-this-machine-only-change-it-before-use'];
/** Of placeholders and of the first passwords that anyone tries. */
const PLACEHOLDER = /replace|change.?(?:me|it|this)|example|password|qwerty|default/i;
/** Thirty-two random hexadecimal digits have fewer different ones once in thirty million times. */
const LEAST_CHARACTERS = 8;
/** Of characters beside their neighbour in the alphabet. One random secret in 100,000 has half, none three quarters. */
const SEQUENCE = 0.75;
/** Random digits do not shrink below 24 bytes; `abcabcabc…` does. */
const LEAST_BYTES = 24;

export const isPublishedSecret = (secret: string): boolean => PUBLISHED.includes(secret);

/** Whether someone could guess the secret: too few characters, a pattern, a sequence or a placeholder. */
export function isWeakSecret(secret: string): boolean {
  const codes = [...secret].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => Math.abs(code - (codes[index] ?? 0)));
  return (
    secret.length < 32 ||
    new Set(codes).size < LEAST_CHARACTERS ||
    steps.filter((step) => step <= 1).length > steps.length * SEQUENCE ||
    deflateRawSync(secret, { level: 9 }).length < LEAST_BYTES ||
    PLACEHOLDER.test(secret)
  );
}
