import { type TObject, Type } from 'typebox';
import { BestowError } from '../base/errors.ts';
import { decodeId, type IdPrefix } from '../base/ids.ts';

/** The id in a path, for the document. */
export const idParameter = (name: string, description: string, example: string): TObject =>
  Type.Object({ [name]: Type.String({ description, examples: [example] }) });

/**
 * Returns the UUID of an id in a path.
 *
 * @throws BestowError `resource_missing` if the text is not such an id, as for an unknown id
 */
export function requireId(prefix: IdPrefix, id: string): string {
  const uuid = decodeId(prefix, id);
  if (uuid === undefined) throw new BestowError('resource_missing');
  return uuid;
}
