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
  /** A body comes before the options, also an empty one. */
  takesBody?: boolean;
  /** The parameters of the query are arguments in a row, not the parts of one. */
  isPositional?: boolean;
}

/** The client's methods, by operation. */
const CALLS: Record<string, Call> = {
  getHealth: { answer: 'health', method: 'health' },
  getOpenapi: { answer: 'document', method: 'openapi' },
  listCategories: { answer: 'categories', method: 'categories.list' },
  createOrder: { answer: 'order', method: 'orders.create', takesKey: true },
  listOrders: { answer: 'orders', method: 'orders.list' },
  retrieveOrder: { answer: 'order', method: 'orders.retrieve' },
  cancelOrder: { answer: 'order', method: 'orders.cancel', takesKey: true, takesBody: true },
  listGifts: { answer: 'gifts', method: 'gifts.list' },
  retrieveGift: { answer: 'gift', method: 'gifts.retrieve' },
  redirectGift: { answer: 'gift', method: 'gifts.redirect', takesKey: true },
  replaceGiftLink: { answer: 'gift', method: 'gifts.replaceLink', takesKey: true },
  resendGift: { answer: 'gift', method: 'gifts.resend', takesKey: true },
  cancelGift: { answer: 'gift', method: 'gifts.cancel', takesKey: true, takesBody: true },
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
  listContacts: { answer: 'contacts', method: 'contacts.list' },
  saveContact: { answer: 'contact', method: 'contacts.save' },
  retrieveContact: { answer: 'contact', method: 'contacts.retrieve' },
  deleteContact: { answer: 'contact', method: 'contacts.delete' },
  createWebhookEndpoint: { answer: 'endpoint', method: 'webhookEndpoints.create', takesKey: true },
  listWebhookEndpoints: { answer: 'endpoints', method: 'webhookEndpoints.list' },
  retrieveWebhookEndpoint: { answer: 'endpoint', method: 'webhookEndpoints.retrieve' },
  updateWebhookEndpoint: { answer: 'endpoint', method: 'webhookEndpoints.update' },
  deleteWebhookEndpoint: { answer: 'endpoint', method: 'webhookEndpoints.delete' },
  rotateWebhookSecret: { answer: 'endpoint', method: 'webhookEndpoints.rotateSecret', takesKey: true, takesBody: true },
  enableWebhookEndpoint: { answer: 'endpoint', method: 'webhookEndpoints.enable', takesKey: true, takesBody: true },
  testWebhookEndpoint: { answer: 'attempt', method: 'webhookEndpoints.test' },
  listWebhookDeliveries: { answer: 'deliveries', method: 'webhookEndpoints.deliveries' },
  resendWebhookDelivery: { answer: 'result', method: 'webhookEndpoints.resendDelivery', takesKey: true },
  resendWebhookDeliveries: { answer: 'result', method: 'webhookEndpoints.resendDeliveries', takesKey: true },
};

/** The client takes lists where the query has commas. */
const LISTS = ['types'];

function argumentsOf({ ids, query, idempotencyKey, body: given }: SampleRequest, call: Call): unknown[] {
  const values = query.map(([name, value]) => [name, LISTS.includes(name) ? value.split(',') : value] as const);
  const filters = call.isPositional ? values.map(([, value]) => value) : [Object.fromEntries(values)];
  const options = call.takesKey && idempotencyKey !== undefined ? [{ idempotencyKey }] : [];
  const body = given ?? (call.takesBody && options.length > 0 ? {} : undefined);
  return [...ids, ...(query.length === 0 ? [] : filters), ...(body === undefined ? [] : [body]), ...options];
}

const LINE_LENGTH = 88;

function written(start: string, values: readonly unknown[]): string {
  const line = `${start}(${values.map((value) => writeValue(value, TYPESCRIPT)).join(', ')});`;
  const isShort = line.split('\n').every((one) => one.length <= LINE_LENGTH);
  // A last object may span lines, as formatters write it.
  if (isShort && values.slice(0, -1).every((value) => !writeValue(value, TYPESCRIPT).includes('\n'))) return line;
  return `${start}(\n${values.map((value) => `  ${writeValue(value, TYPESCRIPT, '  ')},\n`).join('')});`;
}

/** Writes a request as a program that uses the client; each operation has a method. @param publicUrl without a final slash */
export function typescriptSample(publicUrl: string, request: SampleRequest): string {
  const call = CALLS[request.operationId];
  if (call === undefined) throw new Error(`The client has no method for ${request.operationId}.`);
  return `import { Bestow } from 'bestow-sdk';

const bestow = new Bestow(process.env.KEY, { baseUrl: ${quoted(publicUrl)} });

${written(`const ${call.answer} = await bestow.${call.method}`, argumentsOf(request, call))}
console.log(JSON.stringify(${call.answer}, null, 2));`;
}
