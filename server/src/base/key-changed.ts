/**
 * Thrown where the statement that does an act's work finds that the caller's key does not say what was taken for granted: it
 * was revoked, its organization suspended or renamed, its sandbox deleted. Nothing was done; the key is to be looked up.
 */
export class KeyChanged extends Error {
  constructor() {
    super('The key does not say what it said.');
  }
}
