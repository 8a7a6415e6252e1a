import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryEvent } from './delivery-event.ts';

/** A webhook call from a provider. */
interface HookCall {
  headers: IncomingHttpHeaders;
  /** Path and query as sent. */
  url: string;
  /** The raw body, which signatures cover. */
  body: string;
  /** For the log. */
  requestId: string;
}

export interface Provider {
  name: string;
  /** The environment variable with the secret or key that verifies calls. */
  setting: string;
  /** Whether a call has credentials to verify; checked before the body is read. */
  hasCredentials(headers: IncomingHttpHeaders): boolean;
  /**
   * Returns the relevant events of a call; undefined if the credentials are wrong.
   *
   * @throws if the call cannot be verified at the moment, so that the provider retries
   */
  read(call: HookCall): Promise<readonly DeliveryEvent[] | undefined>;
}
