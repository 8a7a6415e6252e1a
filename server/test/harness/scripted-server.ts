import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

export interface Seen {
  method: string;
  url: string;
  idempotencyKey: string | undefined;
  body: string;
}

/** An HTTP server that does one step of the script for each request and repeats the last. */
export async function startScriptedServer(t: { after(act: () => Promise<void>): void }, ...script: Step[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, idempotencyKey: headers['idempotency-key']?.toString(), body });
    script[Math.min(seen.length, script.length) - 1]?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Answers as a gateway does. */
export const html =
  (status: number, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<html>Bad gateway</html>');

export const drop: Step = (response) => response.socket?.destroy();

/** Begins an answer and drops the connection. */
export const truncate: Step = (response) => {
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"order_id":', () => response.socket?.destroy());
};

export const silence: Step = () => undefined;
