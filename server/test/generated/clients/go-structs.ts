import {
  type ClientModel,
  descriptionOf,
  inWords,
  nonNull,
  parentOf,
  pascal,
  refOf,
  type Schema,
} from './client-model.ts';
import { CONSTANTS, JOINED, NAMES, NOTES, STRUCTS_BY_HAND, TYPES, WORDS } from './go-names.ts';

const MOST_COLUMNS = 120;
const INITIALISMS = /(Id|Url|Ms)(?=[A-Z]|$)/g;

export const exported = (name: string) => pascal(name).replaceAll(INITIALISMS, (word) => word.toUpperCase());
export const structOf = (schema: string) => NAMES[schema] ?? schema;

/** A field of a struct, with the comment above it. */
export interface Field {
  name: string;
  type: string;
  tag: string;
  comment: string;
}

/** Writes a comment in lines of at most 120 columns. */
export function comment(text: string, indent = ''): string[] {
  const lines = [''];
  for (const word of text.replaceAll('`', '').replaceAll('’', "'").split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1) as string;
    // A tab counts as four.
    const isFull = indent.length * 4 + 3 + last.length + 1 + word.length > MOST_COLUMNS;
    if (last === '' || !isFull) lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(word);
  }
  return text === '' ? [] : lines.map((line) => `${indent}// ${line}`);
}

/** Writes rows in columns, as gofmt does: a comment begins new ones. */
export function aligned(rows: { comment: string; cells: string[] }[]): string[] {
  const sections: (typeof rows)[] = [];
  for (const row of rows)
    if (row.comment !== '' || sections.length === 0) sections.push([row]);
    else sections.at(-1)?.push(row);
  return sections.flatMap((section) => {
    const widths = [0, 1].map((column) => Math.max(...section.map(({ cells }) => cells[column]?.length ?? 0)));
    return section.flatMap((row) => [
      ...comment(row.comment, '\t'),
      `\t${row.cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' ')
        .trimEnd()}`,
    ]);
  });
}

export function typeOf(schema: Schema): string {
  const ref = refOf(schema);
  if (ref !== undefined) return ref === 'DeliveryResult' ? 'string' : structOf(ref);
  if (schema.type === 'array') return `[]${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object') return `map[string]${typeOf(schema.additionalProperties as Schema)}`;
  if (schema.format === 'date-time') return 'time.Time';
  return schema.type === 'integer' ? 'int64' : schema.type === 'boolean' ? 'bool' : 'string';
}

const isPlain = (type: string) => /^(string|bool|int|int64|\[\].*|map.*)$/.test(type);

/** What is not there is nil; of webhooks it is the zero value. */
function fieldTypeOf(owner: string, name: string, property: Schema, isRequired: boolean): string {
  const { schema, isNullable } = nonNull(property);
  const type = typeOf(schema);
  if (TYPES[`${owner}.${name}`]) return TYPES[`${owner}.${name}`] as string;
  const mayBeAbsent = (isNullable || !isRequired) && !owner.startsWith('Webhook');
  return mayBeAbsent && (!isPlain(type) || (isNullable && type === 'int64')) ? `*${type}` : type;
}

/** In a change nil, or an empty text, is what stays as it is. */
function changeTypeOf(property: Schema, isRequired: boolean): string {
  const { schema, isNullable } = nonNull(property);
  const type = typeOf(schema);
  const isText = type === 'string' && isNullable;
  return !isRequired && (isText || type === 'bool' || type === 'int64') ? `*${type}` : type;
}

const ABSENT: Readonly<Record<string, string>> = { string: 'empty', int: '0', int64: '0', 'time.Time': 'zero' };

/** Says in words of Go what the document says, also for its `null`. */
export const inGo = (text: string, type = '') =>
  inWords(text, WORDS)
    .replaceAll(/`?\bnull\b`?/g, ABSENT[type] ?? 'nil')
    .replaceAll(/\bNull\b/g, pascal(ABSENT[type] ?? 'nil'));

function propertiesOf({ schemas }: ClientModel, name: string): [string, Schema, boolean][] {
  const { oneOf, properties = {}, required = [] } = schemas[name] ?? {};
  if (oneOf) {
    const variants = oneOf.map((one) => schemas[refOf(one) ?? ''] ?? {});
    const members = new Map(variants.flatMap((one) => Object.entries(one.properties ?? {})));
    return [...members].map(([member, { const: _, ...property }]) => [
      member,
      { ...property, description: '' },
      variants.every((one) => one.required?.includes(member)),
    ]);
  }
  const joined = JOINED[name] === undefined ? {} : schemas[JOINED[name]]?.properties;
  return Object.entries({ ...joined, ...properties })
    .filter(([member]) => member !== 'object')
    .map(([member, property]) => [member, property, required.includes(member) || JOINED[name] !== undefined]);
}

/** The fields of a struct. Those of a change have no tags: it writes itself. */
function fieldsOf(model: ClientModel, name: string, isChange: boolean): Field[] {
  const held = Object.keys(model.schemas[parentOf(model.schemas, name) ?? '']?.properties ?? {});
  return propertiesOf(model, name)
    .filter(([member]) => !held.includes(member))
    .map(([member, property, isRequired]) => {
      const type = isChange ? changeTypeOf(property, isRequired) : fieldTypeOf(name, member, property, isRequired);
      const isLeftOut = !isRequired && TYPES[`${name}.${member}`] === undefined;
      const isOmitted = isLeftOut || (type.startsWith('*int') && !isRequired);
      return {
        name: exported(member),
        type,
        tag: isChange ? '' : `\`json:"${member}${isOmitted ? ',omitempty' : ''}"\``,
        comment: inGo(NOTES[`${name}.${member}`] ?? descriptionOf(property), type),
      };
    });
}

export const fieldLines = (fields: Field[]) =>
  aligned(fields.map((field) => ({ comment: field.comment, cells: [field.name, field.type, field.tag] })));

const STAYS = 'A nil or empty field stays as it is, and a pointer to an empty text removes it.';

function structComment(name: string, { description = '' }: Schema, isChange: boolean): string {
  const text = NOTES[name] ?? `is ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
  return inGo(`${structOf(name)} ${text}${isChange ? ` ${STAYS}` : ''}`);
}

/** Writes a change as JSON: what is nil or empty is left out, what is removed is null. */
function marshalLines(model: ClientModel, name: string): string[] {
  const receiver = /Change$/.test(name) ? 'change' : 'input';
  const lines = propertiesOf(model, name).flatMap(([member, property, isRequired]) => {
    const field = `${receiver}.${exported(member)}`;
    const type = changeTypeOf(property, isRequired);
    const set = `members["${member}"] =`;
    if (isRequired) return [`${set} ${field}`];
    if (type === '*string') return [`setText(members, "${member}", ${field})`];
    if (type.startsWith('[]') && nonNull(property).isNullable)
      return [`if ${field} != nil {`, `\t${set} ${field}`, `\tif len(${field}) == 0 {`, `\t\t${set} nil`, '\t}', '}'];
    if (type === 'string') return [`if ${field} != "" {`, `\t${set} ${field}`, '}'];
    return [`if ${field} != nil {`, `\t${set} ${type.startsWith('*') ? '*' : ''}${field}`, '}'];
  });
  return [
    '// MarshalJSON leaves fields that stay as they are out, and writes a removed one as null.',
    `func (${receiver} ${structOf(name)}) MarshalJSON() ([]byte, error) {`,
    '\tmembers := map[string]any{}',
    ...lines.map((line) => `\t${line}`),
    '\treturn json.Marshal(members)',
    '}',
    '',
  ];
}

/** The sentence of a description that is about a value: `value`: sentence, or `value` (sentence). */
function sentenceOf(description: string, value: string): string {
  const word = `(?:\`${value}\`|\\b${pascal(value)})`;
  const [, after, inside] = new RegExp(`${word}(?:: ([^.]*)| \\(([^)]*)\\))`).exec(description) ?? [];
  return after ?? inside ?? '';
}

function constantLines(name: string, properties: Record<string, Schema> = {}): string[] {
  return Object.entries(properties).flatMap(([member, property]) => {
    const beginning = CONSTANTS[`${name}.${member}`];
    if (beginning === undefined) return [];
    const rows = (property['x-extensible-enum'] ?? []).map((value) => {
      const constant = `${beginning}${exported(value)}`;
      const sentence = sentenceOf(property.description ?? '', value);
      return { comment: sentence && `${constant}: ${sentence}.`, cells: [constant, `= "${value}"`] };
    });
    const heading = `// The values of ${exported(member)} of ${structOf(name)} in this version. More may come.`;
    return [heading, 'const (', ...aligned(rows), ')', ''];
  });
}

/** The struct of a schema, with its constants. */
export function structLines(model: ClientModel, name: string, isChange: boolean): string[] {
  const schema = model.schemas[name];
  const isPage = schema?.properties?.['data'] !== undefined && name.endsWith('List');
  if (schema === undefined || isPage || schema.enum || STRUCTS_BY_HAND.includes(name)) return [];
  const struct = structOf(name);
  if (struct !== name && name !== 'PersonalizationInput' && model.schemas[struct]) return [];
  const isOwn = struct.charAt(0) === struct.charAt(0).toLowerCase();
  const parent = parentOf(model.schemas, name);
  return [
    ...constantLines(name, schema.properties),
    ...(isOwn ? [] : comment(structComment(name, schema, isChange))),
    `type ${struct} struct {`,
    ...(parent === undefined ? [] : [`\t${structOf(parent)}`]),
    ...fieldLines(fieldsOf(model, name, isChange)),
    '}',
    '',
    ...(isChange ? marshalLines(model, name) : []),
  ];
}
