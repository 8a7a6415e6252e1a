import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Outcome } from '../record/recorder.ts';

export interface HttpRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface HttpClient {
  /** @throws if no complete answer comes in time */
  send(url: string, wanted: HttpRequest): Promise<HttpAnswer>;
  close(): void;
}

export function createHttpClient(timeoutMs: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    send: (url, { method, path, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), {
          agent,
          method,
          headers: body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
        });
        const timer = setTimeout(() => sent.destroy(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
        sent.on('close', () => clearTimeout(timer)).on('error', reject);
        sent.on('response', (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('close', () => {
            if (!answer.complete) return reject(new Error('The connection was lost within the answer.'));
            const { statusCode: status = 0, headers: answered } = answer;
            resolve({ status, headers: answered, text: Buffer.concat(chunks).toString() });
          });
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Returns the outcome of a call to `/v1`. Without an `error` object a failure is unknown. */
export function outcomeOfApi({ status, headers, text }: HttpAnswer): Outcome {
  const answer = parse(text);
  if (answer === undefined) return { kind: 'unknown', reason: `${status} without JSON` };
  const code = (answer as { error?: { code?: unknown } | null } | null)?.error?.code;
  if (status >= 200 && status < 300 && code === undefined) return { kind: 'ok', status, answer };
  if (typeof code !== 'string') return { kind: 'unknown', reason: `${status} without an error object` };
  const seconds = Number(headers['retry-after']);
  return { kind: 'failed', status, code, answer, retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined };
}

/** Returns the outcome of a recipient's page. A server error on a page promises nothing. */
export function outcomeOfPage({ status, text }: HttpAnswer): Outcome {
  if (status < 400) return { kind: 'ok', status, answer: text };
  if (status < 500) return { kind: 'failed', status, code: `page_${status}`, answer: text };
  return { kind: 'unknown', reason: `page of status ${status}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
