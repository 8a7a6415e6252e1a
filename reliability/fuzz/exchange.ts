import { type Answer, createApiClient } from '../../server/test/harness/api-client.ts';

/** A request as it leaves, and which operation it was made for. */
export interface HttpRequest {
  operationId: string;
  url: string;
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Sends a request and reads its answer. What judges answers is given one, so that a test can give it one that lies. */
export type Exchange = (request: HttpRequest) => Promise<Answer>;

/** The status of an answer that never came; its body is the reason. */
export const NO_ANSWER = 0;

const ANSWER_WITHIN_MS = 20_000;

export const exchange: Exchange = async ({ url, method, path, headers, body }) => {
  const late = Promise.withResolvers<Answer>();
  const timer = setTimeout(() => late.resolve(noAnswer('It did not come in time.')), ANSWER_WITHIN_MS);
  const answer = createApiClient(url).request(method, path, { body, headers });
  try {
    return await Promise.race([answer, late.promise]);
  } catch (error) {
    return noAnswer(String((error as Error).cause ?? error));
  } finally {
    clearTimeout(timer);
  }
};

const noAnswer = (body: string): Answer => ({ status: NO_ANSWER, headers: new Headers(), body });

const LONGEST_BODY = 2_000;

/** A request for people: without its key, and a body of sensible length. */
export function showRequest({ method, path, headers, body }: HttpRequest): string {
  const shown = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization' ? `${name}: ${value.slice(0, 22)}…` : `${name}: ${JSON.stringify(value)}`,
  );
  const text = body !== undefined && body.length > LONGEST_BODY ? `${body.length} characters` : body;
  return [`${method} ${path}`, ...shown, ...(text === undefined ? [] : [`body: ${text}`])].join('\n    ');
}
