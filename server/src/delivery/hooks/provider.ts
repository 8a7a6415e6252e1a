import type { IncomingHttpHeaders } from 'node:http';
import type { News } from './news.ts';

/** A call to one of the addresses that providers tell their news to. */
interface HookCall {
  headers: IncomingHttpHeaders;
  /** Path and query as they were sent. */
  url: string;
  /** As it came: signatures are over it. */
  body: string;
  /** For the log. */
  requestId: string;
}

export interface Provider {
  name: string;
  /** The variable that holds what its calls are proven with. */
  setting: string;
  /** Whether a call can be proven at all; asked before its body is read. */
  canBeProven(headers: IncomingHttpHeaders): boolean;
  /**
   * The news in a call, none where it says nothing of interest; undefined where it does not prove that it is the
   * provider's.
   *
   * @throws where that cannot be known at the moment, so that the provider calls again
   */
  read(call: HookCall): Promise<readonly News[] | undefined>;
}
