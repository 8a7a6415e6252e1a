import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endWithTest } from '../../harness/end-with-test.ts';
import {
  Account,
  type Call,
  invalidRequest,
  type Json,
  type Resource,
  type StripeClock,
  StripeRefusal,
} from './account.ts';
import { Acts } from './acts.ts';
import { apiVersion, checkAnswer, refusalOf } from './description.ts';
import { expand } from './expand.ts';
import { readForm } from './form.ts';
import { type Answer, IdempotencyKeys } from './idempotency.ts';
import { IssuingNetwork } from './issuing-network.ts';
import { type Operation, operations } from './operations.ts';
import { balanceTransactions } from './resources/balance-transactions.ts';
import { cashBalances } from './resources/cash-balances.ts';
import { charges } from './resources/charges.ts';
import { checkoutPage, checkoutSessions } from './resources/checkout-sessions.ts';
import { customers } from './resources/customers.ts';
import { disputes } from './resources/disputes.ts';
import { events } from './resources/events.ts';
import { ephemeralKeys, issuingCardholders, issuingCards } from './resources/issuing-cards.ts';
import { balance, issuingPurchases } from './resources/issuing-purchases.ts';
import { paymentIntents } from './resources/payment-intents.ts';
import { paymentMethods } from './resources/payment-methods.ts';
import { refunds } from './resources/refunds.ts';
import { setupIntents } from './resources/setup-intents.ts';
import { webhookEndpoints } from './resources/webhook-endpoints.ts';
import { Webhooks } from './webhooks.ts';

/** To add a resource: its operations in `operations.ts`, its file in `resources/`, its line here. */
const resources: Resource = {
  ...balance,
  ...balanceTransactions,
  ...cashBalances,
  ...charges,
  ...checkoutSessions,
  ...customers,
  ...disputes,
  ...ephemeralKeys,
  ...events,
  ...issuingCardholders,
  ...issuingCards,
  ...issuingPurchases,
  ...paymentIntents,
  ...paymentMethods,
  ...refunds,
  ...setupIntents,
  ...webhookEndpoints,
};

/**
 * What goes wrong with the next requests of an operation. `lose the answer` does the work and closes the connection, `keep
 * 500` does the work and answers 500 whenever the key comes, `lie` does the work and answers with `body`.
 */
export interface Fault {
  operation: Operation;
  kind: 'answer 500' | 'hang up' | 'lose the answer' | 'answer 429' | 'keep 500' | 'lie';
  body?: Json;
}

export interface SeenRequest {
  operation: string;
  /** Path and query. */
  url: string;
  text: string;
  form: Json;
  idempotencyKey: string | undefined;
  status: number;
}

export interface Stripe {
  url: string;
  secretKey: string;
  account: Account;
  webhooks: Webhooks;
  /** What happens outside the API: payers, banks, card holders. */
  acts: Acts;
  /** Purchases with issued cards. */
  network: IssuingNetwork;
  /** The endpoint that answers purchases. */
  questions: Webhooks;
  faults: Fault[];
  requests: SeenRequest[];
  close(): Promise<void>;
}

const routes = operations.map((operation) => {
  const [method, path = ''] = operation.split(' ');
  return { operation, method, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '([^/]+)')}$`) };
});

/** For `npm run stripe-mock`, which sends what the fake accepted to Stripe's own mock. */
function keepRequests(requests: SeenRequest[]): void {
  const file = process.env['STRIPE_REQUESTS_FILE'];
  if (file === undefined) return;
  const accepted = requests.filter(({ status }) => status === 200 || status === 402);
  appendFileSync(
    file,
    accepted.map(({ operation, url, text }) => `${JSON.stringify([operation, url, text])}\n`).join(''),
  );
}

/** Starts an account at Stripe on a free port. */
export async function startStripe(clock: StripeClock, { livemode = true } = {}): Promise<Stripe> {
  const account = new Account(clock, { livemode, apiVersion });
  const webhooks = new Webhooks('whsec_of_the_fake', () => account.now());
  account.onEvent = (event) => webhooks.add(event);
  const questions = new Webhooks('whsec_of_the_questions', () => account.now());
  const keys = new IdempotencyKeys();
  const stripe: Stripe = {
    url: '',
    secretKey: livemode ? 'sk_live_of_the_fake' : 'sk_test_of_the_fake',
    account,
    webhooks,
    acts: new Acts(account),
    network: new IssuingNetwork(account, questions),
    questions,
    faults: [],
    requests: [],
    close: endWithTest(() => {
      keepRequests(stripe.requests);
      server.close();
      server.closeAllConnections();
    }),
  };
  const server = createServer((request, response) => void answerRequest(stripe, keys, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stripe.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  account.url = stripe.url;
  return stripe;
}

async function answerRequest(
  stripe: Stripe,
  keys: IdempotencyKeys,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(request.url ?? '', stripe.url);
  if (url.pathname.startsWith('/c/pay/')) return showCheckout(stripe, { request, response, url, text });
  const send = ({ status, body }: Answer) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': stripe.account.newId('req') })
      .end(JSON.stringify(body));
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
  const key = request.headers['idempotency-key']?.toString();
  const form = readForm(request.method === 'GET' ? url.search : text);
  const seen: SeenRequest = {
    operation: route?.operation ?? `${request.method} ${url.pathname}`,
    url: request.url ?? '',
    text,
    form,
    idempotencyKey: key,
    status: 0,
  };
  stripe.requests.push(seen);
  const fault = takeFault(stripe, route?.operation);
  if (fault?.kind === 'hang up') return response.destroy();
  if (fault?.kind.startsWith('answer')) return send(faultAnswer(Number(fault.kind.slice(-3))));
  const answer = authorize(stripe, request) ?? run(stripe, keys, { route, ids: idsOf(route, url), form, key });
  seen.status = answer.status;
  if (fault?.kind === 'lose the answer') return response.destroy();
  if (fault?.kind === 'lie') return send({ status: 200, body: fault.body });
  if (fault?.kind !== 'keep 500') return send(answer);
  keys.replace(key ?? '', faultAnswer(500));
  send(faultAnswer(500));
}

function showCheckout(stripe: Stripe, page: Parameters<typeof checkoutPage>[1]): void {
  try {
    checkoutPage(stripe, page);
  } catch (error) {
    page.response.writeHead(500).end(String(error));
  }
}

const idsOf = (route: (typeof routes)[number] | undefined, url: URL) =>
  (route?.pattern.exec(url.pathname)?.slice(1) ?? []).map(decodeURIComponent);

function takeFault({ faults }: Stripe, operation: string | undefined): Fault | undefined {
  const index = faults.findIndex((fault) => fault.operation === operation);
  return index < 0 ? undefined : faults.splice(index, 1)[0];
}

const faultAnswer = (status: number): Answer => ({
  status,
  body: { error: { type: 'api_error', message: 'Something went wrong on Stripe’s end.' } },
});

function authorize({ secretKey }: Stripe, { headers }: IncomingMessage): Answer | undefined {
  if (headers.authorization === `Bearer ${secretKey}`) return undefined;
  return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } } };
}

interface Routed extends Call {
  route: (typeof routes)[number] | undefined;
  key: string | undefined;
}

/** Does what the operation does; a failed payment is kept under the key too, a refused form is not. */
function run({ account }: Stripe, keys: IdempotencyKeys, { route, ids, form, key }: Routed): Answer {
  try {
    if (route === undefined) throw invalidRequest('Unrecognized request URL.', {}, 404);
    const { operation } = route;
    const original = structuredClone(form);
    const refusal = refusalOf(operation, form);
    if (refusal !== undefined)
      throw invalidRequest(refusal.message, { param: refusal.param, code: 'parameter_unknown' });
    const isKept = key !== undefined && route.method === 'POST';
    const known = isKept ? keys.find(key, `${operation} ${ids.join(' ')}`, original, account.now()) : undefined;
    if (known !== undefined) return known;
    const answer = act(account, operation, { ids, form });
    if (isKept) keys.remember(key, `${operation} ${ids.join(' ')}`, original, answer, account.now());
    return answer;
  } catch (error) {
    if (error instanceof StripeRefusal) return { status: error.status, body: error.body };
    // A mistake of the fake: its own answer shows it to the test.
    return { status: 501, body: { error: { type: 'api_error', message: String(error) } } };
  }
}

function act(account: Account, operation: Operation, call: Call): Answer {
  const handler = resources[operation];
  if (handler === undefined) throw new Error(`The fake does not answer ${operation}.`);
  try {
    const body = expand(account, structuredClone(handler(account, call)), call.form.expand);
    checkAnswer(operation, body);
    return { status: 200, body };
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 402)
      return { status: 402, body: structuredClone(error.body) };
    throw error;
  }
}
