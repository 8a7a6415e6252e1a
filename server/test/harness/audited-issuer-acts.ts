import { addIssuer } from '../../src/capabilities/issuers/add-issuer.ts';
import { releaseCodes, setCodesAside } from '../../src/capabilities/issuers/own-codes/set-codes-aside.ts';
import { uploadCodes } from '../../src/capabilities/issuers/own-codes/upload-codes.ts';
import { reopenCard } from '../../src/core/card-proofs/reopen-card.ts';
import * as queries from '../../src/core/gifts/claim/claim-queries.ts';
import { undoClaim } from '../../src/core/gifts/claim/undo-claim.ts';
import { removeIssuer } from '../../src/core/issuer/choose-issuer.ts';
import { recordReveal } from '../../src/faces/redemption/record-reveal.ts';
import { admitted, parametersOf } from '../../src/platform/authentication/caller.ts';
import type { Actor } from '../../src/platform/base/actor.ts';
import { decodeId, encodeId } from '../../src/platform/base/ids.ts';
import type { Action } from '../../src/surfaces/audit-log.ts';
import type { AllDeps } from '../../src/surfaces/deps.ts';
import { emailGift, linkGift } from './api-client.ts';
import type { AuditedAct } from './audited-member-acts.ts';
import { OPERATOR } from './operator.ts';
import type { TestOrganization } from './test-service.ts';

const add = (deps: AllDeps, { organizationUuid }: TestOrganization, actor: Actor) =>
  addIssuer(deps, { organizationId: organizationUuid, categoryId: 'books', kind: 'codes', settings: {}, actor });

/** Begins the claim of a gift, whose card the issuer never makes. */
async function beginClaim(deps: AllDeps, organization: TestOrganization): Promise<string> {
  const { issuer_id } = await add(deps, organization, OPERATOR);
  const { body } = await organization.live.order([linkGift()]);
  const giftId: string = body.gifts[0].gift_id;
  const caller = admitted({ organizationId: organization.organizationUuid, environment: 'live' });
  await queries.beginClaim(deps.database.change, [
    ...parametersOf(caller),
    decodeId('gift', giftId) ?? '',
    new Date(deps.clock.now()),
    issuer_id,
    null,
    null,
    null,
    null,
    null,
    undefined,
    null,
    null,
    null,
  ]);
  return giftId;
}

/** The acts on issuers, and the recipient's. */
export const auditedIssuerActs = {
  'issuer.added': {
    act: add,
    target: 'iss_',
    environment: 'live',
    sentence: 'Chose codes as the issuer of books',
    only: 'operator',
  },
  'issuer.removed': {
    prepare: async (deps, organization) => encodeId('iss', (await add(deps, organization, OPERATOR)).issuer_id),
    act: (deps, _organization, actor, id) => removeIssuer(deps, id, actor),
    target: 'prepared',
    environment: 'live',
    sentence: 'Removed codes as the issuer of books',
    only: 'operator',
  },
  'codes.uploaded': {
    act: (deps, { organizationUuid }, actor) =>
      uploadCodes(deps, {
        organizationId: organizationUuid,
        categoryId: 'books',
        csv: 'value,code,shop\n25.00,SECRET-CODE,Shop\n',
        actor,
      }),
    target: null,
    environment: 'live',
    sentence: 'Added 1 code to the stock of books',
  },
  'codes.released': {
    async prepare(deps, { organizationUuid }) {
      const csv = 'value,code,shop\n25.00,SECRET-CODE,Shop\n';
      await uploadCodes(deps, { organizationId: organizationUuid, categoryId: 'books', csv, actor: OPERATOR });
      await setCodesAside(deps.database.pool, organizationUuid, new Date(deps.clock.now()));
      return undefined;
    },
    act: (deps, { organizationUuid }, actor) =>
      releaseCodes(deps, { organizationId: organizationUuid, categoryId: 'books', csv: undefined, actor }),
    target: null,
    environment: 'live',
    sentence: 'Put 1 code of books back into stock',
    only: 'operator',
  },
  'gift.claim_undone': {
    prepare: beginClaim,
    act: (deps, { organizationUuid }, actor, giftId) =>
      undoClaim(
        { ...deps, issuers: { ...deps.issuers, open: () => Promise.reject(new Error('It does not answer.')) } },
        {
          scope: { organizationId: organizationUuid, environment: 'live' },
          giftId: decodeId('gift', giftId) ?? '',
          actor,
        },
      ),
    target: 'prepared',
    environment: 'live',
    sentence: 'Undid a claim of a gift, because the issuer codes did not answer',
    only: 'operator',
  },
  'gift.card_reopened': {
    prepare: async (_deps, { sandbox }) => (await sandbox.order([emailGift('claimed')])).body.gifts[0].gift_id,
    act: (deps, { organizationUuid }, actor, giftId) =>
      reopenCard(deps, {
        scope: { organizationId: organizationUuid, environment: 'sandbox' },
        giftId: decodeId('gift', giftId) ?? '',
        actor,
      }),
    target: 'prepared',
    environment: 'sandbox',
    sentence: 'Let another browser show the card of a gift',
    isRepeatable: true,
  },
  'card.revealed': {
    act: (deps, { organizationUuid }) =>
      recordReveal(deps, { organizationId: organizationUuid, environment: 'live' }, deps.ids.next(), 'code'),
    target: 'gift_',
    environment: 'live',
    sentence: 'Saw the code of a gift',
    by: 'the recipient',
    only: 'operator',
    isRepeatable: true,
  },
} satisfies {
  [Name in Action &
    (
      | `issuer.${string}`
      | `codes.${string}`
      | 'card.revealed'
      | 'gift.claim_undone'
      | 'gift.card_reopened'
    )]: AuditedAct;
};
