import { isValid, resolve, type Schema } from './document.ts';

/** A value that its schema refuses because of one thing. */
export interface Fault {
  value: unknown;
  /** What the service must name; undefined where more than one field is concerned. */
  param: string | undefined;
}

/** A fault that may be none: some values of every type are right where they are put. */
interface Candidate {
  make(): unknown;
  param: string | undefined;
}

const valuesOfEveryType: readonly unknown[] = [null, true, 0, -1, 2500.5, 1e21, '', '2500', 'text', [], {}];

const hostileTexts = [' ', '.', '+', '0', '\n', 'a\nb', '\u0000', '\u2028', '\ud800', 'a..b@example.com', '+01234567'];

const unknownNames = ['unknown', 'gift_id', 'status', 'organization_id', 'Amount', 'constructor', '__proto__'];

/** One of the single faults that a valid value can be given; the same choice gives the same one. */
export function singleFault(schema: Schema, value: unknown, choice: number): Fault {
  const candidates = candidatesAt(schema, value, '');
  for (let index = 0; index < candidates.length; index += 1) {
    const { make, param } = candidates[(choice + index) % candidates.length] as Candidate;
    const faulty = make();
    if (!isValid(schema, faulty)) return { value: faulty, param };
  }
  throw new Error(`No value is wrong for ${JSON.stringify(schema)}.`);
}

function candidatesAt(unresolved: Schema, value: unknown, path: string): Candidate[] {
  const schema = resolve(unresolved);
  const here = [...valuesOfEveryType, ...beyond(schema)]
    // What is of the right type is refused for what it holds, not for what it is.
    .filter((one) => !(isObject(one) && isObject(value)))
    .map((one) => ({ make: () => one, param: path === '' ? 'body' : path }));
  if (schema.oneOf) return [...here, ...candidatesOfUnion(schema, value, path)];
  if (isObject(value)) return [...here, ...candidatesOfObject(schema, value, path)];
  if (Array.isArray(value)) return [...here, ...candidatesOfItems(schema, value, path)];
  return here;
}

/** Values of the right type outside the schema's bounds. */
function beyond({ type, minimum = 0, maximum = 0, maxLength = 0, maxItems = 0 }: Schema): unknown[] {
  if (type === 'integer') return [minimum - 1, maximum + 1, minimum + 0.5, Number.MAX_SAFE_INTEGER, -minimum];
  if (type === 'array') return [new Array(maxItems + 1).fill({})];
  return type === 'string' ? [...hostileTexts, 'x'.repeat(maxLength + 1)] : [];
}

function candidatesOfObject(schema: Schema, value: Record<string, unknown>, path: string): Candidate[] {
  const under = (name: string) => (path === '' ? name : `${path}.${name}`);
  const candidates: Candidate[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    const { [name]: member, ...rest } = value;
    candidates.push({ make: () => rest, param: under(name) });
    for (const { make, param } of candidatesAt(property, member, under(name)))
      candidates.push({ make: () => ({ ...value, [name]: make() }), param });
  }
  for (const name of unknownNames)
    candidates.push({ make: () => Object.fromEntries([...Object.entries(value), [name, 'x']]), param: under(name) });
  return candidates;
}

function candidatesOfUnion(schema: Schema, value: unknown, path: string): Candidate[] {
  const tag = schema.discriminator?.propertyName ?? '';
  const branches = (schema.oneOf ?? []).map(resolve);
  const branch = branches.find((one) => isValid(one, value));
  if (branch === undefined || !isObject(value)) return [];
  const tags = branches.flatMap(({ properties }) => properties?.[tag]?.enum ?? []);
  // With another tag it is another branch's object, and what that one says first is told.
  const otherBranches = tags
    .filter((other) => other !== value[tag])
    .map((other) => ({ make: () => ({ ...value, [tag]: other }), param: undefined }));
  return [...candidatesOfObject(branch, value, path), ...otherBranches];
}

const candidatesOfItems = ({ items = {} }: Schema, value: unknown[], path: string): Candidate[] =>
  value.flatMap((item, index) =>
    candidatesAt(items, item, `${path}[${index}]`).map(({ make, param }) => ({
      make: () => value.with(index, make()),
      param,
    })),
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
