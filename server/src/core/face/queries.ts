import { statement } from '../../platform/database/statement.ts';
import type { Face } from './face.ts';

const columns =
  'organization_id, color, text_color, footer, sender_name, reply_to, subject, logo_hash, logo_width, logo_height';

export const selectBrand = statement<[organizationId: string], Face>(
  'brands.select',
  `select ${columns} from brands where organization_id = $1`,
);
