import type { IncomingHttpHeaders } from 'node:http';

/** An event that is proved to be the provider's. */
interface VerifiedEvent {
  eventId: string;
  type: string;
  /** False: of the provider's test mode, or of another kind that the service does not use. It is answered and not kept. */
  isWanted: boolean;
}

/** A payment provider or card issuer that sends signed events. */
export interface EventProvider {
  /** The first part of an event's key. */
  name: string;
  /** Shown to people. */
  title: string;
  path: string;
  /** The environment variable that verifies calls. */
  setting: string;
  /** @returns undefined if the signature is wrong or too old */
  verify(call: { headers: IncomingHttpHeaders; body: string }): VerifiedEvent | undefined;
}

/** What an event does. It may run more than once, and in any order. */
export type HandleEvent = (event: { type: string; body: string }) => Promise<void>;
