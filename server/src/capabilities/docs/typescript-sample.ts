import type { SampleRequest } from './sample-request.ts';
import { type Syntax, writeValue } from './write-value.ts';

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const TYPESCRIPT: Syntax = {
  indent: '  ',
  padding: ' ',
  end: ',',
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name)),
  scalar: (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value)),
};

interface Call {
  /** The name of the answer. */
  answer: string;
  method: string;
  takesKey?: boolean;
  /** The parameters of the query are arguments in a row, not the parts of one. */
  isPositional?: boolean;
}

/** The client's methods, by operation. The others are called by their path. */
const CALLS: Record<string, Call> = {
  listCategories: { answer: 'categories', method: 'categories.list' },
  createOrder: { answer: 'order', method: 'orders.create', takesKey: true },
  listOrders: { answer: 'orders', method: 'orders.list' },
  retrieveOrder: { answer: 'order', method: 'orders.retrieve' },
  cancelOrder: { answer: 'order', method: 'orders.cancel' },
  listGifts: { answer: 'gifts', method: 'gifts.list' },
  retrieveGift: { answer: 'gift', method: 'gifts.retrieve' },
  redirectGift: { answer: 'gift', method: 'gifts.redirect' },
  replaceGiftLink: { answer: 'gift', method: 'gifts.replaceLink', takesKey: true },
  resendGift: { answer: 'gift', method: 'gifts.resend', takesKey: true },
  cancelGift: { answer: 'gift', method: 'gifts.cancel' },
  scheduleGift: { answer: 'gift', method: 'gifts.schedule', takesKey: true },
  retrieveBalance: { answer: 'balance', method: 'balance.retrieve' },
  listBalanceEntries: { answer: 'entries', method: 'balance.entries' },
  retrieveLedgerStatement: { answer: 'statement', method: 'ledger.statement' },
  retrieveLedgerCheckpoint: { answer: 'checkpoint', method: 'ledger.checkpoint' },
  retrieveLedgerProof: { answer: 'proof', method: 'ledger.proveEntry', isPositional: true },
  simulateDelivery: { answer: 'gift', method: 'sandbox.deliver' },
  simulateOpen: { answer: 'gift', method: 'sandbox.open' },
  simulateClaim: { answer: 'gift', method: 'sandbox.claim' },
  simulateSpend: { answer: 'gift', method: 'sandbox.spend' },
  resetSandbox: { answer: 'reset', method: 'sandbox.reset' },
  listEvents: { answer: 'events', method: 'events.list' },
};

/** The client takes lists where the query has commas. */
const LISTS = ['types'];

function argumentsOf({ ids, query, idempotencyKey, body }: SampleRequest, call: Call): unknown[] {
  const values = query.map(([name, value]) => [name, LISTS.includes(name) ? value.split(',') : value] as const);
  const filters = call.isPositional ? values.map(([, value]) => value) : [Object.fromEntries(values)];
  const options = call.takesKey && idempotencyKey !== undefined ? [{ idempotencyKey }] : [];
  return [...ids, ...(query.length === 0 ? [] : filters), ...(body === undefined ? [] : [body]), ...options];
}

/** For operations without a method. */
function pathArguments({ method, path, idempotencyKey, body }: SampleRequest): unknown[] {
  const options = {
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  return [method, path, ...(Object.keys(options).length === 0 ? [] : [options])];
}

const LINE_LENGTH = 88;

function written(start: string, values: readonly unknown[]): string {
  const line = `${start}(${values.map((value) => writeValue(value, TYPESCRIPT)).join(', ')});`;
  const isShort = line.split('\n').every((one) => one.length <= LINE_LENGTH);
  // A last object may span lines, as formatters write it.
  if (isShort && values.slice(0, -1).every((value) => !writeValue(value, TYPESCRIPT).includes('\n'))) return line;
  return `${start}(\n${values.map((value) => `  ${writeValue(value, TYPESCRIPT, '  ')},\n`).join('')});`;
}

/** Writes a request as a program that uses the client. @param publicUrl without a final slash */
export function typescriptSample(publicUrl: string, request: SampleRequest): string {
  const call = CALLS[request.operationId];
  const answer = call?.answer ?? 'answer';
  const values = call === undefined ? pathArguments(request) : argumentsOf(request, call);
  return `import { Bestow } from 'bestow-sdk';

const bestow = new Bestow(process.env.KEY, { baseUrl: ${quoted(publicUrl)} });

${written(`const ${answer} = await bestow.${call?.method ?? 'request'}`, values)}
console.log(JSON.stringify(${answer}, null, 2));`;
}
