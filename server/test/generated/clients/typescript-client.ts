import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ClientModel, type ClientOperation, camel, pascal, singular } from './client-model.ts';
import { METHODS_BY_HAND, NAMES, NOTES, PARTS, TYPES_BY_HAND } from './typescript-names.ts';

const BIOME = fileURLToPath(new URL('../../../../node_modules/.bin/biome', import.meta.url));
const HEADER = '// Generated from openapi.json by `npm run generate`.';
const PAGE_PARAMETERS = ['limit', 'starting_after', 'ending_before'];
const typeNameOf = (schema: string) => NAMES[schema] ?? schema;

/** How an operation is sent, and the types of its body and answer. */
function rowsOf({ schemas }: ClientModel, operation: ClientOperation): [string, string] {
  const { id, method, path, mark, query, takesKey, isSentOnce, body, answer } = operation;
  const sent = {
    method,
    path,
    ...(mark && { mark: mark.member === 'object' ? mark.value : mark.member }),
    ...(query.length > 0 && { query: query.map(({ name }) => name).join(' ') }),
    ...(takesKey && { takesKey }),
    ...(isSentOnce && { isSentOnce }),
  };
  const type = (name: string | undefined) => (name && schemas[name] ? `Schemas['${name}']` : 'undefined');
  return [`${id}: ${JSON.stringify(sent)},`, `${id}: { body: ${type(body)}; answer: ${type(answer)} };`];
}

function operationTable(model: ClientModel): string {
  const rows = model.operations.map((one) => rowsOf(model, one));
  return `${HEADER}
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
}

/** The schemas of bodies, answers, items and parts. */
function namedSchemas({ operations, schemas }: ClientModel): string[] {
  const named = operations.flatMap(({ body, answer, item }) => [body, item ?? answer]);
  return Object.keys(schemas).filter(
    (name) => (named.includes(name) || PARTS.includes(name)) && !TYPES_BY_HAND.includes(name) && name !== 'Event',
  );
}

function bodies(model: ClientModel): string {
  const types = namedSchemas(model).map((schema) => {
    const name = typeNameOf(schema);
    const isObject = model.schemas[schema]?.oneOf === undefined;
    return isObject
      ? `export interface ${name} extends Schema<'${schema}'> {}`
      : `export type ${name} = Schema<'${schema}'>;`;
  });
  return `${HEADER}
import type { components } from './schema.d.ts';

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
// Interfaces, because declarations and editors show their names and keep the comments of their fields.
${types.join('\n')}
`;
}

function documentation({ id, values, description, errors, isSentOnce, takesLong }: ClientOperation): string[] {
  const once = isSentOnce ? ' It is sent once.' : '';
  const long = takesLong ? ' One attempt may take all of `timeoutMs`.' : '';
  const note = NOTES[id] === undefined ? '' : ` ${NOTES[id]}`;
  const thrown = errors.length === 0 ? [] : [`@throws ApiError ${errors.map((code) => `\`${code}\``).join(', ')}`];
  const given = values.map((value) => `@param ${camel(value.name)} ${value.description}`);
  const lines = [`${description}${note}${once}${long}`, ...given, ...thrown].flatMap((text) => wrap(text));
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map((line) => ` * ${line}`), ' */'];
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + word.length < 112) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function parametersTypeOf({ resource, name, query, takesExpand }: ClientOperation): string {
  const isPage = query.length === PAGE_PARAMETERS.length && query.every((one) => PAGE_PARAMETERS.includes(one.name));
  const noun = pascal(singular(name === 'list' ? resource : name));
  return isPage ? 'PageParams' : `${noun}Params${takesExpand ? '<Parts>' : ''}`;
}

const PARTS_OF = '<Parts extends GiftParts = []>';
const idsOf = ({ ids }: ClientOperation) => ids.map((one) => `${camel(one)}: string`);
const listedIds = ({ ids }: ClientOperation) => (ids.length === 0 ? '' : `ids: [${ids.map(camel).join(', ')}], `);

function listMethod(model: ClientModel, operation: ClientOperation): string {
  const { id, name, item = '', isPaged, takesExpand } = operation;
  const type = takesExpand ? `Expanded<${typeNameOf(item)}, Parts>` : typeNameOf(item);
  const key = (model.schemas[item]?.required ?? []).find((member) => /^id$|_id$/.test(member)) ?? 'id';
  const given = isPaged ? [`params?: ${parametersTypeOf(operation)}`] : [];
  const parameters = [...idsOf(operation), ...given, 'options?: CallOptions'].join(', ');
  const source = `{ id: '${id}', ${listedIds(operation)}key: '${key}'${isPaged ? '' : ', walked: {}'} }`;
  const sent = isPaged ? 'params' : '{}';
  return `${name}: ${takesExpand ? PARTS_OF : ''}(${parameters}): List<${type}> => listOf(connection, ${source}, ${sent}, options),`;
}

function callMethod(operation: ClientOperation): string {
  const { id, name, query, body, isBodyOptional, answer, takesKey, takesExpand, takesLong } = operation;
  const filters = query.filter((one) => one.name !== 'expand');
  const members = filters.map(({ name: one, required, description, schema }) => {
    const type = schema.enum?.map((value) => `'${value}'`).join(' | ') ?? 'string';
    return `/** ${description} */\n${one}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`;
  });
  const parameters = [
    ...idsOf(operation),
    ...(body === undefined ? [] : [`body: ${typeNameOf(body)}${isBodyOptional ? ' = {}' : ''}`]),
    ...(members.length === 0 ? [] : [`params: { ${members.join('; ')} } = {}`]),
    `options?: ${takesKey ? 'ActOptions' : 'CallOptions'}${takesExpand ? ' & Expand<Parts>' : ''}`,
  ];
  const sent = [
    listedIds(operation),
    body === undefined ? '' : 'body, ',
    members.length === 0 ? '' : 'query: params, ',
    takesLong ? 'tryTimeoutMs: Number.POSITIVE_INFINITY, ' : '',
  ].join('');
  const type = takesExpand ? `Expanded<${typeNameOf(answer)}, Parts>` : typeNameOf(answer);
  const call = `connection.${takesExpand ? 'expanded' : 'call'}('${id}', { ${sent}}, options)`;
  return `${name}: ${takesExpand ? PARTS_OF : ''}(${parameters.join(', ')}): Promise<Answer<${type}>> => ${call},`;
}

function resourceLines(model: ClientModel, resource: string): string[] {
  const own = model.operations.filter((one) => one.resource === resource && !METHODS_BY_HAND.includes(one.id));
  if (own.length === 0) return [];
  const methods = own.flatMap((one) => [
    ...documentation(one),
    one.item === undefined ? callMethod(one) : listMethod(model, one),
  ]);
  return [`/** ${model.resources[resource]} */`, `${resource}: (connection: Connection) => ({`, ...methods, '}),'];
}

function imports(code: string, path: string, names: readonly string[]): string[] {
  const used = [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${path}';`];
}

const byLetters = (one: string, other: string) =>
  one.replace('type ', '').localeCompare(other.replace('type ', ''), 'en', { sensitivity: 'base' });

function methods(model: ClientModel): string {
  const resources = [...new Set(model.operations.map(({ resource }) => resource))];
  const code = resources.flatMap((resource) => resourceLines(model, resource)).join('\n');
  const parameters = model.operations.filter(({ isPaged }) => isPaged).map(parametersTypeOf);
  const lists = new Set(['List', ...parameters].map((name) => `type ${name.replace('<Parts>', '')}`));
  return [
    HEADER,
    ...imports(code, 'bodies.ts', namedSchemas(model).map(typeNameOf)),
    `import { ${[...lists, 'listOf'].sort(byLetters).join(', ')} } from './list.ts';`,
    ...imports(code, 'resources.ts', ['Gift', 'Order']),
    ...imports(code, 'send.ts', [
      'ActOptions',
      'Answer',
      'CallOptions',
      'Connection',
      'Expand',
      'Expanded',
      'GiftParts',
    ]),
    '',
    '/** The methods of each resource that send an operation and return its answer. */',
    'export const methodsOf = {',
    code,
    '};',
    '',
  ].join('\n');
}

function formatted(path: string, text: string): string {
  const { status, stdout, stderr } = spawnSync(BIOME, ['format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`biome refuses ${path}: ${stderr}`);
  return stdout;
}

/** The files of the TypeScript client that follow from the document, by path. */
export function typescriptClient(model: ClientModel): Map<string, string> {
  const files = { 'operations.ts': operationTable(model), 'bodies.ts': bodies(model), 'methods.ts': methods(model) };
  return new Map(Object.entries(files).map(([name, text]) => [`sdk/src/${name}`, formatted(`sdk/src/${name}`, text)]));
}
