import { decodeId, type IdPrefix } from '../base/ids.ts';
import { PortalError } from './portal-error.ts';

/** The UUID of an id in a path. @throws PortalError `not_found` where it is no such id at all */
export function uuidInPath(prefix: IdPrefix, id: string): string {
  const uuid = decodeId(prefix, id);
  if (uuid === undefined) throw new PortalError('not_found');
  return uuid;
}
