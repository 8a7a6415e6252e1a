import type { Answer } from '../../server/test/harness/api-client.ts';
import type { Exchange, HttpRequest } from './exchange.ts';

/** An answer with something wrong in it; undefined: it stays as it is. */
export type Tampering = (request: HttpRequest, answer: Answer) => Partial<Answer> | undefined;

/** A service that lies: what judges answers must notice. */
export const tampered =
  (exchange: Exchange, tampering: Tampering): Exchange =>
  async (request) => {
    const answer = await exchange(request);
    return { ...answer, ...tampering(request, answer) };
  };

/** The headers with one changed, or left out where it has no value. */
export function withHeader({ headers }: Answer, name: string, value: string | undefined): Headers {
  const changed = new Headers(headers);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed;
}
