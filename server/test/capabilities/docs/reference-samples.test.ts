import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from '../../../../sdk/node_modules/typescript/lib/typescript.js';
import { Bestow, type BestowOptions } from '../../../../sdk/src/index.ts';
import { type ReferenceDocument, resourcesOf } from '../../../src/capabilities/docs/reference-document.ts';
import { samplesOf } from '../../../src/capabilities/docs/reference-operation.ts';
import { inlineAnswers } from '../../../src/platform/api/v1-document.ts';

/** The samples of the API reference: they compile, and in each language they send the same request. */

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const publicUrl = 'https://gifts.example/shop';
const document: ReferenceDocument = inlineAnswers(JSON.parse(readFileSync(`${root}openapi.json`, 'utf8')));
const samples = resourcesOf(document)
  .flatMap(({ operations }) => operations)
  .filter(({ path }) => path !== undefined)
  .map((placed) => ({ id: placed.operation.operationId, ...samplesOf(placed, { document, publicUrl }) }));

test('every TypeScript sample compiles against the client', () => {
  const texts = new Map(
    samples.map(({ id, ts }) => [`${root}server/test/docs/sample-of-${id}.ts`, `${ts}\nexport {};\n`]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    paths: { 'bestow-sdk': [`${root}sdk/src/index.ts`] },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.getSourceFile = (name, ...more) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile(name, ...more)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  };
  const faultsOf = (names: string[]) =>
    ts
      .getPreEmitDiagnostics(ts.createProgram(names, options, host))
      .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  const wrong = `${root}server/test/docs/sample-of-nothing.ts`;
  texts.set(wrong, `import { Bestow } from 'bestow-sdk';\nawait new Bestow('k', { baseUrl: '' }).orders.create({});\n`);
  const faults = faultsOf([...texts.keys()]);
  assert.deepEqual(
    faults.filter((fault) => !fault.startsWith(wrong)),
    [],
  );
  assert.match(faults.join('\n'), /Property 'gifts' is missing/, 'a wrong sample is found');
});

interface Sent {
  method: string;
  url: string;
  idempotencyKey: string | undefined;
  body: unknown;
}

const comparable = (method: string, address: string, idempotencyKey: string | undefined, body: string | undefined) => {
  const { origin, pathname, searchParams } = new URL(address);
  const url = `${origin}${pathname} ${[...searchParams].join(' ')}`.trim();
  // An empty object says as much as no body.
  return { method, url, idempotencyKey, body: body === undefined || body === '{}' ? undefined : JSON.parse(body) };
};

/** Reads a command as curl does. */
function sentByCurl(command: string): Sent {
  const [, method, quoted, plain = ''] = /^curl (?:-X (\w+) )?(?:'([^']+)'|(\S+))/.exec(command) ?? [];
  const [, key] = /-H 'Idempotency-Key: ([^']+)'/.exec(command) ?? [];
  const [, body] = /-d '(.*)'$/s.exec(command) ?? [];
  return comparable(method ?? (body === undefined ? 'GET' : 'POST'), quoted ?? plain, key, body);
}

/** Runs a program with a client that sends nothing. */
async function sentByClient(program: string): Promise<Sent> {
  const sent: Sent[] = [];
  const record: typeof fetch = async (input, { method = 'GET', headers, body } = {}) => {
    const key = new Headers(headers).get('Idempotency-Key') ?? undefined;
    sent.push(comparable(method, `${input}`, key, typeof body === 'string' ? body : undefined));
    const error = {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: 'Recorded.',
      request_id: 'req_1',
    };
    return Response.json({ error }, { status: 404 });
  };
  class Recorder extends Bestow {
    constructor(key: string | undefined, options: BestowOptions) {
      super(key, { ...options, fetch: record });
    }
  }
  const code = stripTypeScriptTypes(program.replace(/^import .*\n/, ''));
  const run = new Function('Bestow', 'process', `return (async () => {${code}})()`);
  await assert.rejects(run(Recorder, { env: { KEY: 'bestow-sandbox-key' } }), /Recorded/);
  const [first] = sent;
  assert.ok(first !== undefined && sent.length === 1, program);
  return first;
}

test('the client sends what the command sends', async () => {
  assert.ok(samples.length > 30);
  for (const { id, sh, ts } of samples) assert.deepEqual(await sentByClient(ts), sentByCurl(sh), id);
});

test('the Python program sends what the command sends', () => {
  for (const { id, sh, py } of samples) {
    const [, address = ''] = /Request\(\n {4}"([^"]+)"/.exec(py) ?? [];
    const [, data] = /data=json\.dumps\((.*)\)\.encode/s.exec(py) ?? [];
    const [, method = data === undefined ? 'GET' : 'POST'] = /method="(\w+)"/.exec(py) ?? [];
    const [, key] = /"Idempotency-Key": "([^"]+)"/.exec(py) ?? [];
    const body = data?.replaceAll(/,(?=\s*[\]}])/g, '').replaceAll(/\bTrue\b/g, 'true');
    assert.deepEqual(comparable(method, address, key, body), sentByCurl(sh), id);
  }
});
