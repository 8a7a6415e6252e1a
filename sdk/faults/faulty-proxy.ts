import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one attempt: a word, or an answer that is not the service's. */
export type Step =
  | 'forward'
  | 'cut'
  | 'forward-cut'
  | 'forward-half'
  | 'forward-half-chunked'
  | 'forward-hang'
  | 'forward-trickle'
  | GatewayAnswer;
interface GatewayAnswer {
  status: number;
  /** The service gets the request, but the client not its answer. */
  forward?: true;
  html?: true;
  json?: unknown;
  /** The error object of a service. */
  error?: { type: string; code: string };
  location?: string;
  /** Seconds, sent as they are or as a date. */
  retry_after?: number;
  retry_after_date?: number;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}
type Act = (response: ServerResponse, answer: Answer) => void;

const TRICKLE_MS = 200;

const ACTS: Record<Exclude<Step, GatewayAnswer | 'cut'>, Act> = {
  forward: (response, { status, headers, body }) => response.writeHead(status, headers).end(body),
  'forward-cut': (response) => response.socket?.destroy(),
  'forward-half': (response, { status, headers, body }) => {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
  },
  'forward-half-chunked': (response, { status, headers, body }) => {
    const { 'content-length': _, ...others } = headers;
    response.writeHead(status, { ...others, 'transfer-encoding': 'chunked' });
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
  },
  'forward-hang': () => undefined,
  // A byte now and then keeps a connection alive that has nothing to say.
  'forward-trickle': (response, { status, headers, body }) => {
    response.writeHead(status, { ...headers, 'content-length': body.length + 1_000_000 });
    const timer = setInterval(() => response.write(' '), TRICKLE_MS);
    response.on('close', () => clearInterval(timer));
  },
};

function writeGatewayAnswer(response: ServerResponse, step: GatewayAnswer): void {
  const { status, html, json, error, location, retry_after: seconds, retry_after_date: dateSeconds } = step;
  const object = error && { error: { ...error, message: 'As the table of faults says.', request_id: 'req_fault' } };
  const data = object ?? json;
  if (seconds !== undefined) response.setHeader('Retry-After', seconds);
  if (dateSeconds !== undefined)
    response.setHeader('Retry-After', new Date(Date.now() + 1_000 * dateSeconds).toUTCString());
  if (location !== undefined) response.setHeader('Location', location);
  if (html || data !== undefined) response.setHeader('Content-Type', html ? 'text/html' : 'application/json');
  response.writeHead(status);
  if (html) response.end(`<!doctype html><title>${status}</title>`);
  else response.end(data === undefined ? undefined : JSON.stringify(data));
}

/** Sends one request on, and reads the whole answer. */
function forward(service: URL, path: string, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const { connection: _, ...others } = headers;
  return new Promise((resolve, reject) => {
    const request = sendRequest(new URL(path, service), { method: method ?? 'GET', headers: others, agent: false });
    request.on('error', reject).on('response', async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { connection: _connection, 'transfer-encoding': _coding, ...rest } = answer.headers;
      resolve({ status: answer.statusCode ?? 0, headers: rest, body: Buffer.concat(chunks) });
    });
    request.end(body);
  });
}

export interface FaultyProxy {
  /** Without a final slash. A row is at `/NAME` below it. */
  url: string;
  /** How many requests each row has got. */
  requests: Map<string, number>;
  close(): Promise<void>;
}

/**
 * A program between clients and the service that misbehaves as it is told: a request to `/NAME/v1/…` is what the row of this
 * name says for its attempt, and the last step repeats.
 */
export async function startFaultyProxy(
  serviceUrl: string,
  rows: ReadonlyMap<string, readonly Step[]>,
): Promise<FaultyProxy> {
  const requests = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const [, name = '', path = '/'] = /^\/([\w-]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const number = requests.get(name) ?? 0;
    requests.set(name, number + 1);
    const step = rows.get(name)?.at(Math.min(number, (rows.get(name)?.length ?? 0) - 1)) ?? 'forward';
    if (step === 'cut') return void response.socket?.destroy();
    if (typeof step === 'object' && !step.forward) return writeGatewayAnswer(response, step);
    const answer = await forward(new URL(serviceUrl), path, request, Buffer.concat(chunks));
    if (typeof step === 'object') writeGatewayAnswer(response, step);
    else ACTS[step](response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
