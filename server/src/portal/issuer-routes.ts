import { Type } from 'typebox';
import { Cents, nullable, oneOf, Time } from '../api/schema.ts';
import { decodeId } from '../base/ids.ts';
import type { Deps } from '../deps.ts';
import { showIssuers } from '../issuers/show-issuers.ts';
import type { Register } from './register.ts';

const IssuerList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        issuer_id: Type.String(),
        kind: Type.String({ description: 'Such as `stripe` or `codes`.' }),
        category: nullable(Type.String({ description: 'Null: all categories without an own issuer.' })),
        state: oneOf('chosen', 'removed'),
        cards: Type.Integer({ description: 'Gifts claimed onto its cards or codes.' }),
        reconciled_at: nullable(Time),
        funding: nullable(
          Type.Object(
            {
              state: oneOf('sufficient', 'low'),
              /** What gifts on its cards could still spend. */
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

/** Who makes the cards of live gifts. Only the operator changes it, by a command. */
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
}
