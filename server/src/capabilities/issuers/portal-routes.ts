import { Type } from 'typebox';
import type { Deps } from '../../core/deps.ts';
import type { Register } from '../../faces/portal-access/register.ts';
import { Cents, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { uploadCodes } from './own-codes/upload-codes.ts';
import { showIssuers } from './show-issuers.ts';

const IssuerList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        issuer_id: Type.String(),
        kind: Type.String({ description: 'Such as `stripe` or `codes`.' }),
        name: Type.String({ description: 'The kind, for people.' }),
        category: nullable(Type.String({ description: 'Null: all categories without an own issuer.' })),
        state: oneOf('chosen', 'removed'),
        cards: Type.Integer({ description: 'Gifts claimed onto its cards or codes.' }),
        reconciled_at: nullable(Time),
        funding: nullable(
          Type.Object(
            {
              state: oneOf('sufficient', 'low'),
              /** What it had to pay yet. */
              unspent: Cents,
              checked_at: Time,
            },
            { description: 'Of the balance at the issuer; null if it is not known.' },
          ),
        ),
        stock: nullable(
          Type.Object(
            { codes: Type.Integer(), is_low: Type.Boolean() },
            { description: 'Own codes that are left; null for issuers of cards.' },
          ),
        ),
      }),
    ),
  },
  { $id: 'IssuerList' },
);

/** A body has at most 1 MB. */
const MAX_CHARACTERS = 900_000;

const NewCodes = Type.Object({
  category: Type.String({ maxLength: 60, description: 'The category whose gifts get the codes.' }),
  csv: Type.String({
    minLength: 1,
    maxLength: MAX_CHARACTERS,
    'x-rule': 'must be a CSV of at most 900,000 characters; split it',
    description: 'Columns: `value`, `code` and `shop`, and if wanted `pin`, `expires` and `terms_url`.',
  }),
});

/** Who makes the cards of live gifts. Only the operator chooses, by a command. */
export function issuerRoutes(register: Register, deps: Deps): void {
  register(
    {
      method: 'GET',
      path: '/organizations/{organization_id}/issuers',
      operationId: 'listIssuers',
      tag: 'Gifts',
      summary: 'Lists the issuers of cards and codes of live gifts.',
      access: 'member',
      response: IssuerList,
    },
    async ({ params }) => ({ data: await showIssuers(deps, decodeId('org', params.organization_id) ?? '') }),
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/issuers/{issuer_id}/codes',
      operationId: 'uploadCodes',
      tag: 'Gifts',
      summary: 'Adds codes to the stock of an issuer that hands out own codes: all, or none if a line is wrong.',
      access: 'member',
      needs: 'settings',
      environment: 'live',
      needsFreshSignIn: true,
      body: NewCodes,
      response: Type.Object({
        added: Type.Integer(),
        known: Type.Integer({ description: 'Codes that were in the stock before, or were handed out.' }),
      }),
    },
    async ({ params, body: { category, csv }, member }) => {
      const { organizationId } = member;
      const issuers = await showIssuers(deps, organizationId);
      const issuer = issuers.find(({ issuer_id }) => issuer_id === params.issuer_id);
      if (issuer?.stock == null || issuer.state === 'removed') throw new BestowError('not_found');
      if (issuer.category !== null && issuer.category !== category)
        throw new BestowError('parameter_invalid', {
          param: 'category',
          message: `This issuer hands out codes for ${issuer.category} only.`,
        });
      return uploadCodes(deps, { organizationId, categoryId: category, csv, actor: member.actor });
    },
  );
}
