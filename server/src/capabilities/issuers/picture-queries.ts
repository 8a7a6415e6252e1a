import { statement } from '../../platform/database/statement.ts';

export const selectPicture = statement<[organizationId: string, pictureId: string], { content: Buffer }>(
  'issuer_pictures.select',
  'select content from issuer_pictures where organization_id = $1 and picture_id = $2',
);
