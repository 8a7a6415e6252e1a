import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import sharp from 'sharp';
import { endWithTest } from '../../harness/end-with-test.ts';
import { type Answer, answer, type Handlers } from './calls.ts';
import { TremendousNetwork } from './network.ts';
import { orderHandlers } from './orders.ts';
import { readHandlers } from './reads.ts';
import { recipientPage } from './recipient-pages.ts';
import { errorBody, found, Refusal } from './refusal.ts';
import { fileOf, reportHandlers } from './reports.ts';
import { State } from './state.ts';

/** What goes wrong with calls until it is removed. */
export interface TremendousFault {
  /** The start of method and path below `/api/v2`, such as `POST /orders`. */
  call: string;
  when: 'before' | 'after';
  /** 500 if left out. After the effect, without a status and a body, the connection is closed instead. */
  status?: number;
  /** Replaces the answer after the effect. Without a status, the true status stays. */
  body?: object | ((truth: object) => object);
}

export interface FakeTremendous {
  /** Without `/api/v2`. */
  url: string;
  apiKey: string;
  webhookSecret: string;
  state: State;
  network: TremendousNetwork;
  fault: TremendousFault | undefined;
  close(): Promise<void>;
}

const handlers: Handlers = { ...orderHandlers, ...readHandlers, ...reportHandlers };

/** Starts an account at Tremendous on a free port. */
export async function startTremendous(clock: { now(): number }): Promise<FakeTremendous> {
  const server = createServer((request, response) => void respond(tremendous, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookSecret = 'secret-of-the-webhook';
  const state = new State(clock, url);
  const tremendous: FakeTremendous = {
    url,
    apiKey: 'TEST_key-of-the-fake',
    webhookSecret,
    state,
    network: new TremendousNetwork(state, webhookSecret),
    fault: undefined,
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
    }),
  };
  return tremendous;
}

async function respond(tremendous: FakeTremendous, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, type: string, body: string | Buffer) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body);
  try {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { pathname, searchParams: query } = new URL(request.url ?? '', tremendous.url);
    const [, folder, name = ''] = /^\/(api\/v2|rewards\/payout|files|pictures)\/(.+)$/.exec(pathname) ?? [];
    switch (folder) {
      case 'rewards/payout': {
        const form = request.method === 'POST' ? new URLSearchParams(text) : undefined;
        const { status, html } = recipientPage(tremendous.state, name, form);
        return send(status, 'text/html; charset=utf-8', html);
      }
      case 'files':
        return send(200, 'text/csv; charset=utf-8', fileOf(tremendous.state, basename(name, '.csv')));
      case 'pictures': {
        const { id } = found(tremendous.state.products.get(basename(name, '.png')));
        return send(200, 'image/png', await pictureOf(id));
      }
      default: {
        const result = callApi(tremendous, request, folder === undefined ? '' : `/${name}`, query, text);
        if (result === undefined) return void response.destroy();
        return send(result.status, 'application/json', JSON.stringify(result.body));
      }
    }
  } catch (error) {
    const { status, message, payload } = error instanceof Refusal ? error : new Refusal(501, String(error));
    send(status, 'application/json', JSON.stringify(errorBody(message, payload)));
  }
}

/** Answers a call of the API; undefined if its connection is to be closed. */
function callApi(
  { apiKey, state, fault }: FakeTremendous,
  { method, headers }: IncomingMessage,
  path: string,
  query: URLSearchParams,
  text: string,
): Answer | undefined {
  if (headers.authorization !== `Bearer ${apiKey}`) throw new Refusal(401, 'The API key is not known.');
  const fails = fault !== undefined && `${method} ${path}`.startsWith(fault.call) ? fault : undefined;
  if (fails?.when === 'before') throw new Refusal(fails.status ?? 500, 'Something went wrong.');
  const [, list = '', id, act] = /^\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
  const pattern = `${method} /${list}${id === undefined ? '' : '/ID'}${act === undefined ? '' : `/${act}`}`;
  const handler = found(handlers[pattern]);
  const truth = handler(state, { query, id: decodeURIComponent(id ?? ''), body: bodyOf(text) });
  return fails === undefined ? truth : afterEffect(fails, truth);
}

function bodyOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

function afterEffect({ status, body }: TremendousFault, truth: Answer): Answer | undefined {
  if (body === undefined) return status === undefined ? undefined : answer(errorBody('Something went wrong.'), status);
  const replaced = typeof body === 'function' ? body(structuredClone(truth.body)) : body;
  return answer(replaced, status ?? truth.status);
}

/** A card in a color of the product. */
function pictureOf(id: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((index) => (id.charCodeAt(index) * 7) % 256);
  return sharp({ create: { width: 120, height: 76, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
}
