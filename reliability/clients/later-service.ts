import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const LATER = { status: 'held', code: 'later_code' };

/** Writes an answer as a later `/v1` may: new members, values and codes, and without optional members. */
function later(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(later);
  const { personalization: _, ...kept } = value as Record<string, unknown>;
  const grown = Object.fromEntries(
    Object.entries(kept).map(([name, item]) => [name, isOfCaller(name) ? item : later(item)]),
  );
  if ('status' in grown) grown['status'] = LATER.status;
  if ('method' in grown) grown['method'] = 'later_method';
  if ('code' in grown) Object.assign(grown, { code: LATER.code, type: 'later_error' });
  return { ...grown, later_member: { text: 'x', list: [1] } };
}

/** The caller's own data, to which no version adds. */
const isOfCaller = (name: string) => name === 'metadata';

const PASSED_ON = ['authorization', 'content-type', 'idempotency-key'];

async function forward(serviceUrl: string, request: IncomingMessage): Promise<Response> {
  const { method = 'GET', url = '/', headers } = request;
  // Not all headers: Java asks for an upgrade to HTTP/2, which `fetch` refuses to pass on.
  const sent = PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
  return fetch(serviceUrl + url, { method, headers: Object.fromEntries(sent), body });
}

/** Starts a service that answers as a later `/v1` may. It passes calls on to the service at the address. */
export async function startLaterService(serviceUrl: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const answer = await forward(serviceUrl, request);
    const { 'content-length': _, 'content-encoding': __, ...headers } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, headers).end(JSON.stringify(later(await answer.json())));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
