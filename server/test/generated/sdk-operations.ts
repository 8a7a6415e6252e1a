import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Schema {
  $ref?: string;
  type?: unknown;
  required?: string[];
  properties?: Record<string, Schema & { const?: string; anyOf?: unknown }>;
}
type Content = { content?: { 'application/json'?: { schema: Schema } } };
interface Operation {
  operationId: string;
  'x-sent-once'?: boolean;
  parameters?: { name: string; in: string }[];
  requestBody?: Content;
  responses: Record<string, Content & { $ref?: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Content> };
}

const BIOME = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
const nameOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1);

/** What tells an answer of the service from a gateway's: its `object`, or a member that is always there and never null. */
function markOf({ required = [], properties = {} }: Schema): string | undefined {
  const fixed = properties['object']?.const;
  return fixed ?? required.find((name) => properties[name]?.anyOf === undefined);
}

function rowsOf({ components }: Document, method: string, path: string, operation: Operation): [string, string] {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const answer = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const { content } = components.responses[nameOf(answer) ?? ''] ?? answer ?? {};
  const result = nameOf(content?.['application/json']?.schema) ?? '';
  const mark = markOf(components.schemas[result] ?? {});
  const sent = {
    method: method.toUpperCase(),
    path,
    ...(mark === undefined ? {} : { mark }),
    ...(named('query').length === 0 ? {} : { query: named('query') }),
    ...(named('header').includes('Idempotency-Key') ? { takesKey: true } : {}),
    ...(operation['x-sent-once'] ? { isSentOnce: true } : {}),
  };
  const body = nameOf(requestBody?.content?.['application/json']?.schema);
  const schema = (name: string | undefined) => (name === undefined ? 'undefined' : `Schemas['${name}']`);
  return [
    `${operationId}: ${JSON.stringify(sent)},`,
    `${operationId}: { body: ${schema(body)}; answer: ${schema(result)} };`,
  ];
}

/** Every operation as the TypeScript client sends it, with the types of its body and answer. */
export function sdkOperations(openapi: string): string {
  const document = JSON.parse(openapi) as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => rowsOf(document, method, path, operation)),
  );
  const text = `// Generated from openapi.json by \`npm run generate\`.
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
/** How each operation is sent. \`mark\` tells its answer from a gateway's: a member, or the word in \`object\`. \`isSentOnce\`: without an answer it is not repeated. */
export const OPERATIONS = {
${rows.map(([sent]) => sent).join('\n')}
} as const;
/** The body and answer of each operation. */
export interface Operations {
${rows.map(([, types]) => types).join('\n')}
}
`;
  const format = ['format', '--stdin-file-path=sdk/src/operations.ts'];
  const { status, stdout, stderr } = spawnSync(BIOME, format, { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`biome refuses the operations: ${stderr}`);
  return stdout;
}
