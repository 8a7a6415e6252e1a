import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeIssuer, IssuerCall, Operation } from './fake-issuer.ts';
import type { Lie } from './lies.ts';

type Answer = readonly [status: number, body: string];

/** A provider behind a server that may stop at a call, or lie. */
export interface LyingIssuer {
  url: string;
  fake: FakeIssuer;
  /** Runs when a call comes. False closes the connection; a lie replaces its answer. */
  before: (call: IssuerCall) => Promise<Lie | false | undefined>;
  /** Runs when a call had its effect, before its answer. False closes the connection. */
  after: (call: IssuerCall) => Promise<boolean>;
  close(): Promise<void>;
}

/** @param fake closed with it */
export async function startLyingIssuer(fake: FakeIssuer): Promise<LyingIssuer> {
  const server = createServer((request, response) => {
    answer(lying, request, response, kept).catch(() => response.destroy());
  });
  const kept = { byKey: new Map<string, Answer>(), latest: new Map<Operation, Answer>() };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.reachedAt?.(url);
  const lying: LyingIssuer = {
    url,
    fake,
    before: async () => undefined,
    after: async () => true,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await fake.close();
    },
  };
  return lying;
}

interface Kept {
  byKey: Map<string, Answer>;
  latest: Map<Operation, Answer>;
}

async function answer(lying: LyingIssuer, request: IncomingMessage, response: ServerResponse, kept: Kept) {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const send = ([status, body]: Answer) =>
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1' }).end(body);
  const forward = () => forwardTo(lying.fake, request, text);
  const call = lying.fake.callOf(request.method ?? '', request.url ?? '', text);
  if (call === undefined) return send(await forward());
  const key = request.headers['idempotency-key']?.toString() ?? '';
  const known = kept.byKey.get(key);
  if (known !== undefined) return send(known);
  const lie = await lying.before(call);
  if (lie === false) return response.destroy();
  const [truth] = await Promise.all(Array.from({ length: lie?.effects ?? 1 }, forward));
  const another = kept.latest.get(call.operation);
  if (truth !== undefined) kept.latest.set(call.operation, truth);
  if (truth !== undefined && !(await lying.after(call))) return response.destroy();
  if (lie?.delayMs !== undefined) await sleep(lie.delayMs);
  const reply = lie?.reply ?? 'true';
  const told = reply === 'true' ? truth : reply === 'another' ? another : reply;
  if (told === undefined || told === 'none') return response.destroy();
  if (lie?.isKept && key !== '') kept.byKey.set(key, told);
  return send(told);
}

async function forwardTo({ url }: FakeIssuer, { method = 'GET', url: path, headers }: IncomingMessage, text: string) {
  const kept = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];
  const response = await fetch(`${url}${path}`, {
    method,
    headers: Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []))),
    ...(method === 'GET' ? {} : { body: text }),
  });
  return [response.status, await response.text()] as const;
}
