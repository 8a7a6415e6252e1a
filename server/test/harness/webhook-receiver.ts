import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endWithTest } from './end-with-test.ts';

interface Received {
  path: string;
  id: string;
  timestamp: number;
  signature: string;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  answered: number;
}

/** What a receiver answers; undefined: nothing, so that the push hangs. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | undefined;

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** Decides each answer; by default 204. */
  reply: (push: Received) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

/** Receives pushes over plain HTTP, which the sandbox allows to named networks. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    received: [],
    reply: () => ({ status: 204 }),
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
    }),
  };
  const server = createServer((request, response) => void answer(receiver, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

async function answer(receiver: WebhookReceiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = request.headers as Record<string, string>;
  const push: Received = {
    path: request.url ?? '',
    id: headers['webhook-id'] ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    signature: headers['webhook-signature'] ?? '',
    headers,
    text,
    body: JSON.parse(text),
    answered: 0,
  };
  receiver.received.push(push);
  const reply = await receiver.reply(push);
  if (reply === undefined) return;
  push.answered = reply.status;
  response.writeHead(reply.status, reply.headers).end(reply.body);
}
