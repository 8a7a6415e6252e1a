/** Who changes something: an API key, a member in the portal, or the operator by a command. */
export type Actor =
  | { kind: 'key' }
  | {
      kind: 'member';
      /** UUID; of the organization that is changed. */
      memberId: string;
      email: string;
      /** The client's IP address. */
      address: string;
    }
  | {
      kind: 'operator';
      /** The user of the operating system. */
      name: string;
      /** The host's name. */
      address: string;
    };

/** How people read who it was: `ada@example.com`, `the operator (root)`. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      return 'an API key';
    case 'member':
      return actor.email;
    case 'operator':
      return `the operator (${actor.name})`;
  }
}

/** From where it was: an IP address or a host's name; for a key, the request log knows. */
export function actorAddress(actor: Actor): string {
  return actor.kind === 'key' ? 'the API' : actor.address;
}
