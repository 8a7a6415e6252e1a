/**
 * Thrown if an act's statement finds that the key has changed: it was revoked, its organization suspended or renamed, or its
 * sandbox deleted. Nothing was done; look the key up again.
 */
export class KeyChanged extends Error {
  constructor() {
    super('The key has changed.');
  }
}
