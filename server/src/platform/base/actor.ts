/** Who changes something: an API key or the token of an agent, a member in the portal, the operator by a command or a page, or the recipient of a gift. */
export type Actor =
  | {
      kind: 'key';
      /** `key_…`; set for acts that the audit log records. */
      keyId?: string;
      /** Whether the key is the token of an agent. */
      isAgent?: boolean;
      /** The client's IP address. */
      address?: string;
    }
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
      /** The user of the operating system, or the email address of a person on the operator’s page. */
      name: string;
      /** The host's name, or the client's IP address. */
      address: string;
      /** Why, as the person wrote it on the operator’s page. The organization reads it. */
      reason?: string;
    }
  | { kind: 'recipient' };

/** Names the actor for people: `ada@example.com`, `the operator (root)`. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      if (actor.keyId === undefined) return 'an API key';
      return actor.isAgent ? `the agent with the token ${actor.keyId}` : `the API key ${actor.keyId}`;
    case 'member':
      return actor.email;
    case 'operator':
      return `the operator (${actor.name})`;
    case 'recipient':
      return 'the recipient';
  }
}

/** Returns the actor's IP address or host. The request log has the address of a key. */
export function actorAddress(actor: Actor): string {
  // The audit log would keep a recipient's address for ever.
  if (actor.kind === 'recipient') return 'the gift’s page';
  return actor.kind === 'key' ? (actor.address ?? 'the API') : actor.address;
}
