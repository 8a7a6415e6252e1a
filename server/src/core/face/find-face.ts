import type { Deps } from '../deps.ts';
import type { Face } from './face.ts';
import { selectBrand } from './queries.ts';

/** The organization's face, which may be empty. */
export async function findFace({ database }: Pick<Deps, 'database'>, organizationId: string): Promise<Face> {
  const [face] = await selectBrand(database.pool, [organizationId]);
  return face ?? { ...nothing, organization_id: organizationId };
}

const nothing = {
  color: null,
  text_color: null,
  footer: null,
  sender_name: null,
  reply_to: null,
  subject: null,
  logo_hash: null,
  logo_width: null,
  logo_height: null,
};
