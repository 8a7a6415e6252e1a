import { isLoopback } from '../../platform/base/loopback.ts';
import { visibleText } from '../../platform/base/visible-text.ts';

export interface DescribedClient {
  /** What the program calls itself. No one has checked it. */
  name: string;
  /** The site that vouches for the program, by a document at its address; null if the program registered itself. */
  site: string | null;
  /** Where the answer goes: a host, or null for a program on the person’s own device. */
  goes_to: string | null;
}

/** Describes the program that asks, by what cannot be made up: the site of its document and where the answer goes. */
export function describeClient(
  { clientId, clientName }: { clientId: string; clientName?: string | undefined },
  redirectUri: string,
): DescribedClient {
  const { hostname, protocol } = new URL(redirectUri);
  const isOwnDevice = !/^https?:$/.test(protocol) || isLoopback(hostname);
  const site = URL.canParse(clientId) ? new URL(clientId).hostname : null;
  return {
    name: visibleText(clientName ?? '') || (site ?? 'A program without a name'),
    site,
    goes_to: isOwnDevice ? null : hostname,
  };
}
