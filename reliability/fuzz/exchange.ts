import { type Answer, createApiClient } from '../../server/test/harness/api-client.ts';
import { HUNG_AFTER_MS } from '../../server/test/harness/server-process.ts';

/** A request and the operation that it is meant for. */
export interface HttpRequest {
  operationId: string;
  url: string;
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Sends a request and reads its answer. A test replaces it by one that alters answers. */
export type Exchange = (request: HttpRequest) => Promise<Answer>;

/** The status if no answer came; the body is the reason. */
export const NO_ANSWER = 0;

const LONGEST_BODY = 2_000;

const noAnswer = (body: string): Answer => ({ status: NO_ANSWER, headers: new Headers(), body });

export const exchange: Exchange = async ({ url, method, path, headers, body }) => {
  const late = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => late.resolve(noAnswer('It hung: no answer came.')), HUNG_AFTER_MS);
  const answer = createApiClient(url).request(method, path, { body, headers });
  try {
    return await Promise.race([answer, late.promise]);
  } catch (error) {
    return noAnswer(String((error as Error).cause ?? error));
  } finally {
    clearTimeout(timer);
  }
};

/** Describes a request without its key and with a bounded body. */
export function showRequest({ method, path, headers, body }: HttpRequest): string {
  const shown = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization' ? `${name}: ${value.slice(0, 22)}…` : `${name}: ${JSON.stringify(value)}`,
  );
  const text = body !== undefined && body.length > LONGEST_BODY ? `${body.length} characters` : body;
  return [`${method} ${path}`, ...shown, ...(text === undefined ? [] : [`body: ${text}`])].join('\n    ');
}

/** Returns the changed parts of an answer, or undefined to leave the answer alone. */
export type Tampering = (request: HttpRequest, answer: Answer) => Partial<Answer> | undefined;

/** Alters answers on their way back, for positive controls. */
export const tampered =
  (send: Exchange, tampering: Tampering): Exchange =>
  async (request) => {
    const answer = await send(request);
    return { ...answer, ...tampering(request, answer) };
  };

export function withHeader({ headers }: Answer, name: string, value: string | undefined): Headers {
  const changed = new Headers(headers);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed;
}
