import {
  type ClientModel,
  descriptionOf,
  inWords,
  nonNull,
  parentOf,
  pascal,
  reached,
  refOf,
  type Schema,
} from './client-model.ts';
import { DAYS, NAMES, NOTES, TYPES_BY_HAND, WORDS } from './python-names.ts';

const MOST_COLUMNS = 120;
export const HEADER = '# Code generated from openapi.json by npm run generate. DO NOT EDIT.';

export const typeNameOf = (schema: string) => NAMES[schema] ?? schema;
const isOfWebhooks = (schema: string) => schema.includes('Webhook');

/** Writes a docstring in lines of at most 120 columns. */
export function docstring(text: string, indent: string): string[] {
  const words = inWords(text, WORDS);
  if (words === '') return [];
  if (indent.length + words.length + 6 <= MOST_COLUMNS && !words.includes('\n')) return [`${indent}"""${words}"""`];
  const wrapped = words.split('\n').flatMap((paragraph) => wrap(paragraph, MOST_COLUMNS - indent.length));
  return ['"""', ...wrapped, '"""'].map((line) => (line === '' ? '' : `${indent}${line}`));
}

function wrap(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Texts that several schemas choose from have a name, such as `Language`. */
function aliasesOf({ schemas }: ClientModel): Map<string, string> {
  const choices = Object.values(schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([member, property]) => {
      const { enum: values } = nonNull(property).schema;
      return values === undefined ? [] : [{ name: pascal(member), type: literal(values) }];
    }),
  );
  const isShared = ({ type }: { type: string }) => choices.filter((one) => one.type === type).length > 1;
  return new Map(choices.filter(isShared).map(({ name, type }) => [type, name]));
}

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => (value === true ? 'True' : JSON.stringify(value))).join(', ')}]`;

const INPUT_TYPES: Readonly<Record<string, string>> = { 'date-time': 'str | datetime', date: 'str | date' };

/** The type of a member that a program gives: also what is not of JSON, and the client writes as JSON. */
export function givenTypeOf(model: ClientModel, owner: string, member: string, property: Schema): string {
  const { schema, isNullable } = nonNull(property);
  const format = DAYS.includes(`${owner}.${member}`) ? 'date' : (schema.format ?? '');
  const type = INPUT_TYPES[format] ?? plainTypeOf(model, schema).replace(/^dict\[/, 'Mapping[');
  return isNullable ? `${type} | None` : type;
}

/** Whether a program gives it to the client, and does not get it. */
const isGiven = ({ operations, schemas }: ClientModel, name: string) =>
  operations.some(({ body }) => reached(schemas, body).has(name)) &&
  !operations.some(({ answer }) => reached(schemas, answer).has(name));

export function typeOf(model: ClientModel, property: Schema): string {
  const { schema, isNullable } = nonNull(property);
  const type = plainTypeOf(model, schema);
  return isNullable ? `${type} | None` : type;
}

function plainTypeOf(model: ClientModel, schema: Schema): string {
  const ref = refOf(schema);
  if (ref !== undefined) return typeNameOf(ref);
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.enum) return aliasesOf(model).get(literal(schema.enum)) ?? literal(schema.enum);
  if (schema.type === 'array') return `list[${typeOf(model, schema.items ?? {})}]`;
  if (schema.type === 'object') return `dict[str, ${typeOf(model, schema.additionalProperties as Schema)}]`;
  return { integer: 'int', boolean: 'bool' }[String(schema.type)] ?? 'str';
}

/** A body with one member is an argument, not a type. */
const isArgument = ({ schemas, operations }: ClientModel, name: string) =>
  operations.some(({ body }) => body === name) && Object.keys(schemas[name]?.properties ?? {}).length === 1;

/** The type of a schema, after those that it names. */
function typeLines(model: ClientModel, name: string): string[] {
  const { oneOf, enum: values, properties = {}, required = [], description = '' } = model.schemas[name] ?? {};
  if (oneOf) return [`${typeNameOf(name)} = ${oneOf.map((one) => typeNameOf(refOf(one) ?? '')).join(' | ')}`, '', ''];
  if (values) return [`${typeNameOf(name)} = ${literal(values)}`, '', ''];
  const parent = parentOf(model.schemas, name);
  const held = Object.keys(model.schemas[parent ?? '']?.properties ?? {});
  const members = Object.entries(properties).filter(([member]) => !held.includes(member));
  const given = isGiven(model, name);
  const isPartial = members.every(([member]) => !required.includes(member));
  const fields = members.flatMap(([member, property]) => {
    const type = given ? givenTypeOf(model, name, member, property) : typeOf(model, property);
    const isSure = isPartial || required.includes(member);
    return [
      `    ${member}: ${isSure ? type : `NotRequired[${type}]`}`,
      ...docstring(NOTES[`${name}.${member}`] ?? descriptionOf(property), '    '),
    ];
  });
  const bases = `${parent === undefined ? 'TypedDict' : typeNameOf(parent)}${isPartial ? ', total=False' : ''}`;
  const doc = docstring(description, '    ');
  return [`class ${typeNameOf(name)}(${bases}):`, ...doc, ...(doc.length > 0 ? [''] : []), ...fields, '', ''];
}

/** The names of the schemas that have types, each after those that it names. */
export function typedSchemas(model: ClientModel): string[] {
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    for (const one of [parentOf(model.schemas, name), ...reached(model.schemas, name)])
      if (one !== undefined && one !== name) add(one);
    ordered.push(name);
  };
  const isPage = (name: string) => name.endsWith('List') && model.schemas[name]?.properties?.['data'] !== undefined;
  for (const name of Object.keys(model.schemas)) add(name);
  return ordered.filter((name) => !isPage(name) && !TYPES_BY_HAND.includes(name) && !isArgument(model, name));
}

function file(
  about: string,
  lines: string[],
  imports: readonly (readonly [module: string, names: readonly string[]])[],
): string {
  const code = lines.join('\n');
  const used = imports.flatMap(([module, names]) => {
    const needed = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return needed.length === 0 ? [] : [`from ${module} import ${needed.join(', ')}`];
  });
  const own = used.findIndex((line) => line.startsWith('from .'));
  const imported = own > 0 ? [...used.slice(0, own), '', ...used.slice(own)] : used;
  return `${[HEADER, `"""${about}"""`, '', ...imported, '', '', code.trimEnd()].join('\n')}\n`;
}

/** The types of bodies and answers, those of webhooks apart. */
export function pythonTypes(model: ClientModel): Map<string, string> {
  const names = typedSchemas(model);
  const of = (isWanted: (name: string) => boolean) => names.filter(isWanted).flatMap((name) => typeLines(model, name));
  const aliases = [...aliasesOf(model)].flatMap(([type, name]) => [`${name} = ${type}`, '', '']);
  const typing = ['typing', ['Any', 'Literal']] as const;
  const abstract = ['collections.abc', ['Mapping']] as const;
  const times = ['datetime', ['date', 'datetime']] as const;
  const dicts = ['._typing', ['NotRequired', 'TypedDict']] as const;
  const pages = ['EventPage', 'Item', 'Page'].map((name) => `from ._pages import ${name} as ${name}\n`).join('');
  const about = 'Bodies and answers. Amounts are in cents, times are RFC 3339.';
  const types = file(about, [...aliases, ...of((name) => !isOfWebhooks(name))], [abstract, times, typing, dicts]);
  return new Map([
    ['_types.py', types.replace('from ._typing', `${pages}from ._typing`)],
    ['_webhook_types.py', file('Bodies and answers about webhook endpoints.', of(isOfWebhooks), [typing, dicts])],
  ]);
}
