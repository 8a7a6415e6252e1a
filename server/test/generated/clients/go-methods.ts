import {
  type ClientModel,
  type ClientOperation,
  camel,
  lowerFirst,
  nonNull,
  type Parameter,
  pascal,
  type Schema,
  singular,
} from './client-model.ts';
import { LATER_FIELDS, METHOD_NOTES, METHODS_BY_HAND, NOTES, RESOURCES, TYPES } from './go-names.ts';
import { comment, exported, type Field, fieldLines, inGo, structOf, typeOf } from './go-structs.ts';

const MOST_COLUMNS = 120;

const serviceOf = (resource: string) => `${pascal(singular(resource))}Service`;
const local = (name: string) => camel(name).replaceAll(/(Id|Url|Ms)(?=[A-Z]|$)/g, (word) => word.toUpperCase());
const nounOf = ({ resource, name }: ClientOperation) => pascal(singular(name === 'list' ? resource : name));

/** The only member of a body that one operation takes: it is an argument. */
function onlyMember({ schemas, operations }: ClientModel, body: string | undefined) {
  const members = Object.entries(schemas[body ?? '']?.properties ?? {});
  const isShared = operations.filter((one) => one.body === body).length > 1;
  const [only] = members;
  return members.length === 1 && !isShared ? only : undefined;
}

/** `Cancel takes …`, `List returns …`. */
function methodComment(
  { id, method, description, errors, isSentOnce, takesLong }: ClientOperation,
  name: string,
): string[] {
  const does = method === 'GET' ? 'returns ' : '';
  const codes = errors.length === 0 ? '' : ` Codes of its errors: ${errors.join(', ')}.`;
  const note = METHOD_NOTES[id] === undefined ? '' : ` ${METHOD_NOTES[id]}`;
  const once = isSentOnce ? ' It is sent once.' : '';
  const long = takesLong ? ' Its attempt may take the whole timeout.' : '';
  return comment(inGo(`${name} ${does}${lowerFirst(description)}${note}${once}${long}${codes}`));
}

function functionLines(service: string, signature: { name: string; parameters: string; result: string }): string[] {
  const { name, parameters, result } = signature;
  const head = `func (service ${service}) ${name}(`;
  const line = `${head}${parameters}) ${result} {`;
  return line.length <= MOST_COLUMNS ? [line] : [head, `\t${parameters},`, `) ${result} {`];
}

/** Writes parameters; neighbours of one type share it. */
function parametersOf(given: readonly [name: string, type: string][]): string {
  const written = given.map(([name, type], index) => (given[index + 1]?.[1] === type ? name : `${name} ${type}`));
  return ['ctx context.Context', ...written, 'options ...CallOption'].join(', ');
}

const idsOf = ({ ids }: ClientOperation) => ids.map((id): [string, string] => [local(id), 'string']);

interface Body {
  parameters: [name: string, type: string][];
  /** What is sent, after the lines before the call. */
  value: string;
  before: string[];
}

function bodyOf(model: ClientModel, { body }: ClientOperation): Body {
  if (body === undefined) return { parameters: [], value: 'nil', before: [] };
  const only = onlyMember(model, body);
  if (only === undefined) {
    const [name] = /^(Delivery|\w*Change)/.exec(structOf(body)) ?? ['input'];
    const parameter = name === 'input' ? name : name === 'Delivery' ? 'delivery' : 'change';
    return { parameters: [[parameter, structOf(body)]], value: parameter, before: [] };
  }
  const [member, schema] = only as [string, Schema];
  const argument = local(member);
  const type = TYPES[`${body}.${member}`] ?? typeOf(nonNull(schema).schema);
  const before = [`\tinput := ${structOf(body)}{${exported(member)}: ${argument}}`];
  return { parameters: [[argument, type]], value: 'input', before };
}

/** A method that sends an operation and returns its answer. */
function callLines(model: ClientModel, operation: ClientOperation): string[] {
  const { id, ids, answer, item } = operation;
  const name = exported(operation.name);
  const result = item === undefined ? structOf(answer) : `Page[${structOf(item)}]`;
  const body = bodyOf(model, operation);
  const parameters = parametersOf([...idsOf(operation), ...body.parameters]);
  const listed = `[]string{${ids.map(local).join(', ')}}`;
  const call = (given: string) =>
    ids.length === 0
      ? `\treturn callPlain[${result}](ctx, service.client, ${id}, ${body.value}, options)`
      : `\treturn callPath[${result}](ctx, service.client, ${id}, ${given}, ${body.value}, options)`;
  const isLong = call(listed).length + 3 > MOST_COLUMNS;
  return [
    ...methodComment(operation, name),
    ...functionLines(serviceOf(operation.resource), { name, parameters, result: `(*${result}, error)` }),
    ...body.before,
    ...(isLong ? [`\tids := ${listed}`] : []),
    call(isLong ? 'ids' : listed),
    '}',
    '',
  ];
}

const inOrder = (query: Parameter[]) => [
  ...query.filter(({ name }) => !LATER_FIELDS.test(name)),
  ...query.filter(({ name }) => LATER_FIELDS.test(name)),
];

/** The struct of a list's parameters. */
function queryLines(operation: ClientOperation): string[] {
  const { query } = operation;
  const noun = nounOf(operation);
  const plural = operation.name === 'list' ? operation.resource : operation.name;
  const fields = inOrder(query)
    .filter(({ name }) => name !== 'expand')
    .map(({ name, description = '', schema }): Field => {
      const type = schema.type === 'integer' ? 'int' : schema.type === 'object' ? 'map[string]string' : typeOf(schema);
      const text = NOTES[`query.${name}`] ?? description;
      return { name: exported(name), type, tag: `\`query:"${name}"\``, comment: text };
    });
  return [
    `// ${noun}Query selects ${plural}. A zero field does not filter.`,
    `type ${noun}Query struct {`,
    ...fieldLines(fields),
    '}',
    '',
  ];
}

/** The methods of a list with cursors: one page, and all items. */
function listLines(model: ClientModel, operation: ClientOperation): string[] {
  const { id, ids, resource, item = '' } = operation;
  const service = serviceOf(resource);
  const name = exported(operation.name);
  const struct = structOf(item);
  const all = name === 'List' ? 'All' : `All${name}`;
  const given = ids.map(local).join(', ');
  const parameters = parametersOf([...idsOf(operation), ['query', `${nounOf(operation)}Query`]]);
  const of = (result: string, methodName: string) => functionLines(service, { name: methodName, parameters, result });
  const list = name === 'List' ? 'list' : lowerFirst(name);
  const key = (model.schemas[item]?.required ?? []).find((member) => member.endsWith('_id')) ?? 'id';
  const variable = lowerFirst(singular(nounOf(operation)));
  const iterates = `${all} iterates over the items of all pages, and ends after an error. With EndingBefore it goes towards newer ones, oldest first.`;
  return [
    ...methodComment(operation, name),
    ...of(`(*Page[${struct}], error)`, name),
    `\treturn service.${list}(${given}).page(ctx, valuesOf(query), options)`,
    '}',
    '',
    ...comment(iterates),
    ...of(`iter.Seq2[${struct}, error]`, all),
    `\treturn service.${list}(${given}).all(ctx, valuesOf(query), options)`,
    '}',
    '',
    `func (service ${service}) ${list}(${given && `${given} string`}) list[${struct}] {`,
    `\tidOf := func(${variable} ${struct}) string { return ${variable}.${exported(key)} }`,
    `\treturn list[${struct}]{client: service.client, operation: ${id}${given && `, ids: []string{${given}}`}, idOf: idOf}`,
    '}',
    '',
  ];
}

/** The service of a resource: its type, the parameters of its lists, its methods. */
export function serviceLines(model: ClientModel, resource: string): string[] {
  const operations = model.operations.filter((one) => one.resource === resource && !METHODS_BY_HAND.includes(one.id));
  if (operations.length === 0) return [];
  const service = serviceOf(resource);
  const does = RESOURCES[resource] ?? `has the operations of ${resource}`;
  return [
    ...comment(`${service} ${does}.`),
    `type ${service} struct{ client *Client }`,
    '',
    ...operations.filter(({ isPaged }) => isPaged).flatMap(queryLines),
    ...operations.flatMap((one) => (one.isPaged ? listLines(model, one) : callLines(model, one))),
  ];
}
