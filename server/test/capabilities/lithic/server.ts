import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Lithic } from 'lithic';
import { endWithTest } from '../../harness/end-with-test.ts';
import { LithicNetwork } from './network.ts';
import { State } from './state.ts';

/** What goes wrong with calls until it is removed. */
export interface LithicFault {
  call: 'POST /v1/cards' | 'PATCH /v1/cards';
  when: 'before' | 'after';
  /** Answered after the call had its effect, instead of no answer. */
  body?: object;
}

export interface FakeLithic {
  url: string;
  apiKey: string;
  webhookSecret: string;
  asaSecret: string;
  state: State;
  network: LithicNetwork;
  fault: LithicFault | undefined;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Call {
  url: URL;
  id: string;
  body: Record<string, unknown>;
  key: string | undefined;
}

const list = (data: object[]) => ({ data, has_more: false });

const found = <Found>(one: Found | undefined): Found => {
  if (one === undefined) throw new Refusal(404, 'There is no such object.');
  return one;
};

const handlers: Record<string, (state: State, call: Call) => object> = {
  'GET /v1/cards': ({ cards }, { url }) =>
    list([...cards.values()].filter(({ memo = '' }) => memo.includes(url.searchParams.get('memo') ?? ''))),
  'GET /v1/cards/': ({ cards }, { id }) => found(cards.get(id)),
  'POST /v1/cards': (state, { body, key = '' }) => {
    const params = body as unknown as Lithic.CardCreateParams;
    const known = state.cards.get(state.cardsByKey.get(key) ?? '');
    if (known !== undefined) return known;
    if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(key)) throw new Refusal(400, 'The key is not a UUID.');
    if (!state.holders.some(({ account_token }) => account_token === params.account_token))
      throw new Refusal(400, 'There is no such account.');
    const token = randomUUID();
    const card: Lithic.NonPCICard = {
      token,
      account_token: params.account_token ?? '',
      card_program_token: randomUUID(),
      created: new Date(state.clock.now()).toISOString(),
      funding: null,
      last_four: token.replaceAll(/\D/g, '').slice(0, 4).padEnd(4, '7'),
      pin_status: 'NOT_SET',
      spend_limit: params.spend_limit ?? 0,
      spend_limit_duration: params.spend_limit_duration ?? 'TRANSACTION',
      state: params.state ?? 'OPEN',
      type: params.type,
      memo: params.memo ?? '',
      exp_month: '11',
      exp_year: '2029',
    };
    state.cards.set(token, card);
    state.cardsByKey.set(key, token);
    return card;
  },
  'PATCH /v1/cards/': ({ cards }, { id, body }) => {
    const card = found(cards.get(id));
    if (card.state === 'CLOSED') throw new Refusal(400, 'The card is closed.');
    return Object.assign(card, body);
  },
  'GET /v1/account_holders': ({ holders }, { url }) =>
    list(holders.filter(({ external_id }) => external_id === url.searchParams.get('external_id'))),
  'POST /v1/account_holders': (state, { body }) => {
    const {
      kyc_exemption_type,
      external_id = '',
      first_name,
    } = body as unknown as Lithic.AccountHolderCreateParams.KYCExempt;
    if (kyc_exemption_type !== 'PREPAID_CARD_USER') throw new Refusal(400, 'The fake knows prepaid card users only.');
    if (first_name === 'Invalid') throw new Refusal(400, 'first_name is not valid.');
    const created = new Date(state.clock.now()).toISOString();
    const holder = {
      token: randomUUID(),
      created,
      account_token: randomUUID(),
      status: first_name === 'Rejected' ? ('REJECTED' as const) : ('ACCEPTED' as const),
      external_id,
    };
    state.holders.push(holder);
    return { ...holder, status_reasons: [] };
  },
  'GET /v1/transactions/': ({ transactions }, { id }) => found(transactions.get(id)),
  'GET /v1/events': ({ events }, { url }) =>
    list(events.filter(({ created }) => created >= (url.searchParams.get('begin') ?? ''))),
  'GET /v1/balances': ({ availableCents }) =>
    list([{ available_amount: availableCents, currency: 'USD', financial_account_type: 'OPERATING' }]),
};

/** Starts a program at Lithic on a free port. */
export async function startLithic(clock: { now(): number }): Promise<FakeLithic> {
  const state = new State(clock);
  const webhookSecret = `whsec_${Buffer.from('secret of the events').toString('base64')}`;
  const asaSecret = Buffer.from('secret of the questions').toString('base64');
  const server = createServer((request, response) => void answer(lithic, request, response));
  const lithic: FakeLithic = {
    url: '',
    apiKey: 'key-of-the-fake',
    webhookSecret,
    asaSecret,
    state,
    network: new LithicNetwork(state, { events: webhookSecret, asa: asaSecret }),
    fault: undefined,
    close: endWithTest(() => {
      server.close();
      server.closeAllConnections();
    }),
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lithic.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return lithic;
}

async function answer(lithic: FakeLithic, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (request.headers.authorization !== lithic.apiKey) return void send(401, { message: 'The key is not known.' });
  const url = new URL(request.url ?? '', lithic.url);
  const [, path = '', id = ''] = /^(\/v1\/\w+\/?)(.*)$/.exec(url.pathname) ?? [];
  const name = `${request.method} ${path}`;
  const fault = lithic.fault !== undefined && name.startsWith(lithic.fault.call) ? lithic.fault : undefined;
  if (fault?.when === 'before') return void send(500, { message: 'Something went wrong.' });
  try {
    const handler = found(handlers[name]);
    const body = text === '' ? {} : JSON.parse(text);
    const result = handler(lithic.state, { url, id, body, key: request.headers['idempotency-key']?.toString() });
    if (fault !== undefined && fault.body === undefined) return void response.destroy();
    send(200, fault?.body ?? result);
  } catch (error) {
    send(error instanceof Refusal ? error.status : 501, { message: String(error) });
  }
}
