import { type TObject, Type } from 'typebox';
import { decodeId, type IdPrefix } from '../base/ids.ts';
import { BestowError } from '../errors.ts';

/** The id in a path, for the document. */
export function idParameter(name: string, description: string, example: string): TObject {
  return Type.Object({ [name]: Type.String({ description, examples: [example] }) });
}

/**
 * The UUID of the id in a path.
 *
 * @throws BestowError `resource_missing` where the text cannot be an id: the same answer as for one that names nothing
 */
export function requireId(prefix: IdPrefix, params: unknown): string {
  const [text] = Object.values(params as Record<string, string>);
  const id = text === undefined ? undefined : decodeId(prefix, text);
  if (id === undefined) throw new BestowError('resource_missing');
  return id;
}
