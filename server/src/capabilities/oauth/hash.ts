import { createHash } from 'node:crypto';

/** A SHA-256 of a random secret, by which the database finds it. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
