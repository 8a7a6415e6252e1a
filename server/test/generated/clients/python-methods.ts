import { type ClientModel, type ClientOperation, pascal, type Schema, singular, snake } from './client-model.ts';
import { DEFAULTS, METHODS_BY_HAND, PARAMETER_NOTES, PARAMETER_TYPES } from './python-names.ts';
import { docstring, givenTypeOf, HEADER, typedSchemas, typeNameOf } from './python-types.ts';

const MOST_COLUMNS = 120;
const PAGE_PARAMETERS = ['limit', 'starting_after', 'ending_before'];

const isPlainPage = ({ query }: ClientOperation) =>
  query.length === PAGE_PARAMETERS.length && query.every(({ name }) => PAGE_PARAMETERS.includes(name));

/** Such as `Gift` of the parameters of `gifts.list`. */
const nounOf = (operation: ClientOperation) =>
  isPlainPage(operation) ? 'Page' : pascal(singular(operation.name === 'list' ? operation.resource : operation.name));
const constantOf = (operation: ClientOperation) => `${snake(nounOf(operation)).slice(1).toUpperCase()}_PARAMS`;

const optionsOf = ({ takesKey, takesExpand }: ClientOperation) =>
  takesExpand ? `Expand${takesKey ? 'Act' : ''}Options` : takesKey ? 'ActOptions' : 'CallOptions';

/** A body with several members is given as keyword arguments, together with the options. */
function isSpread({ schemas }: ClientModel, { body }: ClientOperation): boolean {
  const { oneOf, properties = {} } = schemas[body ?? ''] ?? {};
  return body !== undefined && oneOf === undefined && Object.keys(properties).length > 1;
}

function documentation({ summary, description, errors, isSentOnce, takesLong }: ClientOperation): string[] {
  const once = isSentOnce ? ' It is sent once.' : '';
  const long = takesLong ? ' One attempt may take all of `timeout`.' : '';
  const codes =
    errors.length === 0 ? '' : `\n\nCodes of its errors: ${errors.map((code) => `\`${code}\``).join(', ')}.`;
  return docstring(`${summary}.\n\n${description}${once}${long}${codes}`, '        ');
}

interface Body {
  /** Positional parameters, and those that are named. */
  positional: string[];
  named: string[];
  /** What is sent. */
  sent?: string;
}

function bodyOf(model: ClientModel, { body, ids, path }: ClientOperation): Body {
  const { oneOf, properties = {}, required = [] } = model.schemas[body ?? ''] ?? {};
  if (body === undefined) return { positional: [], named: [] };
  if (oneOf) {
    const name = ids.length > 0 ? (path.split('/').at(-1) ?? 'body') : 'body';
    return { positional: [`${name}: ${typeNameOf(body)}`], named: [], sent: name };
  }
  const [[member, schema] = ['', {}]] = Object.entries(properties) as [string, Schema][];
  const type = givenTypeOf(model, body, member, schema);
  const usual = DEFAULTS[`${body}.${member}`];
  if (required.includes(member))
    return { positional: [], named: [`${member}: ${type}`], sent: `{"${member}": ${member}}` };
  const given = usual === undefined ? `${type} | None = None` : `${type} = ${JSON.stringify(usual)}`;
  return { positional: [], named: [`${member}: ${given}`], sent: `body_of(${member}=${member})` };
}

/** Writes a call or a definition on one line, or its arguments on the next, or each on a line of its own. */
function wrapped(head: string, parameters: readonly string[], tail: string): string[] {
  const line = `${head}${parameters.join(', ')}${tail}`;
  if (line.length <= MOST_COLUMNS) return [line];
  const indent = /^ */.exec(head)?.[0] ?? '';
  const inner = `${indent}    ${parameters.join(', ')}`;
  if (inner.length <= MOST_COLUMNS) return [head, inner, `${indent}${tail}`];
  return [head, ...parameters.map((one) => `${indent}    ${one},`), `${indent}${tail}`];
}

function listLines(model: ClientModel, operation: ClientOperation): string[] {
  const { id, ids, isPaged, item = '' } = operation;
  const given = isPaged ? `**params: Unpack[${nounOf(operation)}Params]` : '**options: Unpack[CallOptions]';
  const members = model.schemas[item]?.required ?? [];
  const cursor = isPaged ? (members.find((member) => member.endsWith('_id')) ?? 'id') : '';
  const type = typeNameOf(item);
  const known = isPaged ? ['params', constantOf(operation)] : ['options', 'frozenset()'];
  const sent = ['self._sender', `"${id}"`, ...known, `"${cursor}"`, ...ids];
  const parameters = ['self', ...ids.map((one) => `${one}: str`), given];
  return [
    ...wrapped(`    def ${snake(operation.name)}(`, parameters, `) -> AsyncListing[${type}]:`),
    ...documentation(operation),
    ...wrapped(`        return AsyncListing[${type}](`, sent, ')'),
    '',
  ];
}

function callLines(model: ClientModel, operation: ClientOperation): string[] {
  const { id, ids, answer, takesKey } = operation;
  const spread = isSpread(model, operation);
  const { positional, named, sent } = spread ? { positional: [], named: [], sent: 'body' } : bodyOf(model, operation);
  const rest = spread ? `**members: Unpack[${pascal(id)}]` : `**options: Unpack[${optionsOf(operation)}]`;
  const star = named.length > 0 ? ['*'] : [];
  const parameters = ['self', ...ids.map((one) => `${one}: str`), ...positional, ...star, ...named, rest];
  const type = typeNameOf(answer);
  const passed = [type, `"${id}"`, 'options', ...ids, ...(sent === undefined ? [] : [`extra=Extra(${sent})`])];
  const split = `        body, options = split_options(members${takesKey ? ', takes_key=True' : ''})`;
  return [
    ...wrapped(`    async def ${snake(operation.name)}(`, parameters, `) -> ${type}:`),
    ...documentation(operation),
    ...(spread ? [split] : []),
    ...wrapped('        return await self._sender.send(', passed, ')'),
    '',
  ];
}

/** Of a resource with methods by hand, whose class adds them, only the base. */
function classLines(model: ClientModel, resource: string): string[] {
  const all = model.operations.filter((one) => one.resource === resource);
  const generated = all.filter(({ id }) => !METHODS_BY_HAND.includes(id));
  if (generated.length === 0) return [];
  const name = `Async${pascal(resource)}${generated.length === all.length ? 'Resource' : 'Methods'}`;
  return [
    '@hides_variables',
    `class ${name}:`,
    ...docstring(model.resources[resource] ?? '', '    '),
    '',
    '    def __init__(self, sender: AsyncSender) -> None:',
    '        self._sender = sender',
    '',
    ...generated.flatMap((one) => (one.item === undefined ? callLines(model, one) : listLines(model, one))),
    '',
  ];
}

function imported(code: string, module: string, names: readonly string[]): string[] {
  const used = [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  const constants = used.filter((name) => name === name.toUpperCase());
  const sorted = [...constants, ...used.filter((name) => /[a-z]/.test(name) && /^[A-Z]/.test(name))];
  sorted.push(...used.filter((name) => /^[a-z]/.test(name)));
  if (sorted.length === 0) return [];
  const line = `from ${module} import ${sorted.join(', ')}`;
  return line.length <= MOST_COLUMNS ? [line] : [`from ${module} import (`, ...sorted.map((one) => `    ${one},`), ')'];
}

function moduleOf(model: ClientModel, lines: string[]): string {
  const code = lines.join('\n').trimEnd();
  const types = typedSchemas(model);
  const options = ['ActOptions', 'CallOptions', 'ExpandActOptions', 'ExpandOptions', 'split_options'];
  const parameters = model.operations.flatMap((one) => [constantOf(one), `${nounOf(one)}Params`, pascal(one.id)]);
  const named = (isOfWebhooks: boolean) =>
    types.filter((name) => name.includes('Webhook') === isOfWebhooks).map(typeNameOf);
  return `${[
    HEADER,
    'from __future__ import annotations',
    '',
    ...(/\bdatetime\b/.test(code) ? ['from datetime import datetime', ''] : []),
    'from .._frames import hides_variables',
    ...imported(code, '.._options', options),
    ...imported(code, '.._params', parameters),
    ...imported(code, '.._plan', ['Extra', 'body_of']),
    ...imported(code, '.._types', named(false)),
    ...imported(code, '.._typing', ['Unpack']),
    ...imported(code, '.._webhook_types', named(true)),
    ...imported(code, '.lists', ['AsyncListing']),
    ...imported(code, '.send', ['AsyncSender']),
    '',
    '',
    code,
  ].join('\n')}\n`;
}

/** The modules of the resources, asynchronous; the synchronous ones are made from them. */
export function pythonResources(model: ClientModel): [name: string, text: string][] {
  const resources = [...new Set(model.operations.map(({ resource }) => resource))];
  return resources.flatMap((resource): [string, string][] => {
    const lines = classLines(model, resource);
    if (lines.length === 0) return [];
    const isWhole = lines.some((line) => line.endsWith('Resource:'));
    return [[`${snake(resource)}${isWhole ? '' : '_methods'}.py`, moduleOf(model, lines)]];
  });
}

function parameterLines({ id, query }: ClientOperation): string[] {
  return query.flatMap(({ name, description = '', schema }) => {
    const text = schema.format === 'date-time' ? 'str | datetime' : 'str';
    const usual = schema.type === 'integer' ? 'int' : schema.type === 'object' ? 'Mapping[str, str]' : text;
    const type = PARAMETER_TYPES[`${id}.${name}`] ?? PARAMETER_TYPES[name] ?? usual;
    const note = PARAMETER_NOTES[`${id}.${name}`] ?? PARAMETER_NOTES[name] ?? description;
    return [`    ${name}: ${type}`, ...docstring(note, '    ')];
  });
}

/** The parameters of lists, and the bodies that are given as keyword arguments, each together with the options of the call. */
export function pythonParameters(model: ClientModel): string {
  const lists = model.operations.filter(({ item, query }) => item !== undefined && query.length > 0);
  const queries = lists.flatMap((one) => {
    const name = `${nounOf(one)}Params`;
    const known = `${constantOf(one)} = ${name}.__optional_keys__ - CallOptions.__optional_keys__`;
    return [`class ${name}(CallOptions, total=False):`, ...parameterLines(one), '', '', known, '', ''];
  });
  const spread = model.operations.filter((one) => isSpread(model, one) && !METHODS_BY_HAND.includes(one.id));
  const bodies = spread.flatMap((one) => [
    `class ${pascal(one.id)}(${typeNameOf(one.body ?? '')}, ${optionsOf(one)}):`,
    '    pass',
    '',
    '',
  ]);
  const code = [...queries, ...bodies].join('\n').trimEnd();
  const types = typedSchemas(model);
  const named = (isOfWebhooks: boolean) => types.filter((name) => name.includes('Webhook') === isOfWebhooks);
  return `${[
    HEADER,
    '"""Parameters of lists, and bodies that are given as keyword arguments together with the options of the call."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Mapping, Sequence',
    'from datetime import datetime',
    'from typing import Literal',
    '',
    ...imported(code, '._options', ['ActOptions', 'CallOptions', 'GiftPart']),
    ...imported(code, '._types', named(false)),
    ...imported(code, '._webhook_types', named(true)),
    '',
    '',
    code,
  ].join('\n')}\n`;
}
