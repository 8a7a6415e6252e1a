import { BestowError } from '../../platform/base/errors.ts';
import type { Arguments } from './operation-request.ts';
import { isObject } from './read-delivery.ts';

const SHAPE = 'must be a list of objects with key and value, both texts';

/** Turns pairs of `key` and `value` into the map that operations take. Leaves a map as it is. */
function mapOf(pairs: unknown, param: string): unknown {
  const refusal = (rule: string) => new BestowError('parameter_invalid', { param, message: `${param} ${rule}.` });
  if (typeof pairs !== 'object') throw refusal(SHAPE);
  if (!Array.isArray(pairs)) return pairs;
  const entries = pairs.map((pair): [string, string] => {
    const { key, value } = isObject(pair) ? pair : {};
    if (typeof key === 'string' && typeof value === 'string') return [key, value];
    throw refusal(SHAPE);
  });
  const map = Object.fromEntries(entries);
  if (Object.keys(map).length < entries.length) throw refusal('must have each key once');
  return map;
}

const readOne = (given: Arguments, path = ''): Arguments =>
  'metadata' in given ? { ...given, metadata: mapOf(given['metadata'], `${path}metadata`) } : given;

/** Reads `metadata` of the arguments and of each gift in them. @throws BestowError `parameter_invalid` */
export function readMetadata(given: Arguments): Arguments {
  const read = readOne(given);
  const { gifts } = read;
  if (!Array.isArray(gifts)) return read;
  return { ...read, gifts: gifts.map((gift, index) => (isObject(gift) ? readOne(gift, `gifts[${index}].`) : gift)) };
}
