import { type Operation, type ReferenceDocument, resourcesOf } from './reference-document.ts';
import { sampleRequest } from './sample-request.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Event {
  listen: 'prerequest' | 'test';
  script: { type: 'text/javascript'; exec: string[] };
}

interface Item {
  name: string;
  event: Event[];
  request: object;
}

/** A folder for each resource, and in it a request for each operation. */
export interface Collection {
  info: { name: string; description: string; schema: string };
  auth: object;
  event: Event[];
  variable: { key: string; value: string }[];
  item: { name: string; item: Item[] }[];
}

const ABOUT = `Set the variable api_key to a key of the sandbox. An order creates its Idempotency-Key and keeps it until an answer is final: if no answer comes, send the request again, and the order is paid once. A run of all requests also resets the sandbox.`;

/**
 * Makes the requests of `/v1` in Postman's format 2.1, which Bruno imports too.
 *
 * @param publicUrl without a final slash
 */
export function collectionOf(document: ReferenceDocument, publicUrl: string): Collection {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const ids = new Map(
    all.flatMap(({ operation }) => pathParameters(operation).map(({ name, example = '' }) => [name, example])),
  );
  const variable = { base_url: publicUrl, api_key: '', ...Object.fromEntries(ids) };
  return {
    info: { name: 'Bestow', description: ABOUT, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [script('prerequest', WITHOUT_SLASH)],
    variable: Object.entries(variable).map(([key, value]) => ({ key, value })),
    item: resourcesOf(document).map(({ name }) => ({
      name,
      item: all
        .filter(({ operation }) => operation.tags.includes(name))
        .sort((one, other) => Number(endsIt(one)) - Number(endsIt(other)))
        .map((one) => itemOf(one, document)),
    })),
  };
}

/** It comes last, so that the others of a run still find what they are about. */
const endsIt = ({ operation }: { operation: Operation }) => /^(cancel|delete|reset)/.test(operation.operationId);

const pathParameters = ({ parameters = [] }: Operation) => parameters.filter((parameter) => parameter.in === 'path');

function itemOf(placed: { method: string; path: string; operation: Operation }, document: ReferenceDocument): Item {
  const { method, path, operation } = placed;
  const { idempotencyKey, body, needsKey, query: shown } = sampleRequest(placed, document);
  const keyName = `${operation.operationId}_key`;
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => {
      const value = shown.find(([one]) => one === name)?.[1];
      return { key: name, value: value ?? example ?? '', disabled: value === undefined };
    });
  const createsSomething = method !== 'GET' && body !== undefined && pathParameters(operation).length === 0;
  const event = [
    ...(idempotencyKey === undefined
      ? [script('test', CHECK)]
      : [script('prerequest', makeKey(keyName)), script('test', keepKey(keyName))]),
    ...(createsSomething ? [script('test', KEEP_IDS)] : []),
  ];
  const url = `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    name: operation.summary,
    event: joined(event),
    request: {
      method,
      description: operation.description,
      ...(needsKey ? {} : { auth: { type: 'noauth' } }),
      header: [
        ...(idempotencyKey === undefined ? [] : [{ key: 'Idempotency-Key', value: `{{${keyName}}}` }]),
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: {
        raw: sent.length === 0 ? url : `${url}?${sent.join('&')}`,
        host: ['{{base_url}}'],
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query,
        variable: pathParameters(operation).map(({ name }) => ({ key: name, value: `{{${name}}}` })),
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), ...JSON_BODY } }),
    },
  };
}

const JSON_BODY = { options: { raw: { language: 'json' } } };

const script = (listen: Event['listen'], text: string): Event => ({
  listen,
  script: { type: 'text/javascript', exec: text.trim().split('\n') },
});

/** One script for each moment. */
const joined = (events: Event[]): Event[] =>
  (['prerequest', 'test'] as const).flatMap((listen) => {
    const exec = events.filter((event) => event.listen === listen).flatMap((event) => event.script.exec);
    return exec.length === 0 ? [] : [{ listen, script: { type: 'text/javascript' as const, exec } }];
  });

const WITHOUT_SLASH = `
pm.variables.set('base_url', String(pm.variables.get('base_url')).replace(/\\/+$/, ''));`;

/** So that a run fails if the key or the address is wrong; a refusal of the service may be what one tries, and is named. */
const CHECK = `
const refusal = pm.response.code < 400 ? '' : (/"code": *"(\\w+)"/.exec(pm.response.text()) || [])[1] || '';
pm.test(['the service answered HTTP', pm.response.code, refusal].join(' ').trim(), () => {
  if (!pm.response.headers.get('Request-Id') || pm.response.code === 401 || pm.response.code > 499) {
    throw new Error('HTTP ' + pm.response.code);
  }
});`;

const makeKey = (name: string) => `
if (!pm.collectionVariables.get('${name}')) {
  pm.collectionVariables.set('${name}', pm.variables.replaceIn('{{$guid}}'));
}`;

/** A runner sends the request again; a person does it by hand, with the same key. */
const keepKey = (name: string) => `
// An answer without Request-Id is not the service's. One with Retry-After is not final.
const wait = pm.response.headers.get('Retry-After');
const isFinal = pm.response.headers.get('Request-Id') && !wait && pm.response.code < 500;
const attempts = isFinal ? 0 : Number(pm.collectionVariables.get('attempts') || 0) + 1;
pm.collectionVariables.set('attempts', String(attempts));
if (!isFinal && attempts < 6) {
  pm.execution.setNextRequest(pm.info.requestName);
  setTimeout(() => {}, 1000 * Math.max(2 ** (attempts - 2), Number(wait) || 0));
} else {
  if (isFinal) pm.collectionVariables.set('${name}', '');${CHECK}
}`;

const KEEP_IDS = `
// The next requests are about what this one created.
if (pm.response.code < 300) {
  const created = pm.response.json();
  for (const object of [created, ...(created.gifts || []).slice(0, 1)]) {
    for (const name of ['order_id', 'gift_id', 'contact_id', 'endpoint_id']) {
      if (object[name]) pm.collectionVariables.set(name, object[name]);
    }
  }
}`;
