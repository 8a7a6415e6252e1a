import { Type } from 'typebox';
import { addIssuer } from '../../capabilities/issuers/add-issuer.ts';
import { listKinds } from '../../capabilities/issuers/describe-kinds.ts';
import { Reason } from '../../faces/operator-acts/schemas.ts';
import { nullable } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { AllDeps } from '../deps.ts';
import type { OperatorRegister } from './register.ts';

const IssuerKind = Type.Object(
  {
    kind: Type.String(),
    description: Type.String(),
    settings: Type.Array(
      Type.Object({
        name: Type.String(),
        meaning: Type.String(),
        example: Type.String(),
        is_secret: Type.Boolean(),
        is_optional: Type.Boolean(),
      }),
    ),
  },
  { $id: 'IssuerKind' },
);

/** Who makes the cards of live gifts, as `bestow issuer` chooses it. */
export function issuerRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: '/issuer-kinds',
      operationId: 'listIssuerKinds',
      tag: 'Issuers',
      summary: 'The kinds of issuers and what each must be told.',
      response: Type.Object({ data: Type.Array(IssuerKind) }),
    },
    () => ({ data: listKinds() }),
  );

  register(
    {
      method: 'POST',
      path: '/organizations/{organization_id}/issuers',
      operationId: 'addIssuer',
      tag: 'Issuers',
      summary: 'Chooses the issuer of an organization’s live gifts: of a category, or of all without one.',
      body: Type.Object({
        kind: Type.String({ maxLength: 60 }),
        category: nullable(Type.String({ maxLength: 63, description: 'Null: all categories without an own issuer.' })),
        settings: Type.Record(Type.String({ maxLength: 60 }), Type.String({ maxLength: 4_000 }), {
          description: 'Kept encrypted. No answer shows them.',
        }),
        reason: Reason,
      }),
      response: Type.Object({ issuer_id: Type.String() }),
    },
    async ({ organizationId, body: { kind, category, settings }, actor }) => {
      const categoryId = category ?? undefined;
      const added = await addIssuer(deps, { organizationId, categoryId, kind, settings, actor });
      return { issuer_id: encodeId('iss', added.issuer_id) };
    },
  );
}
