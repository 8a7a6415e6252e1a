import { Type } from 'typebox';
import { reopenCard } from '../../core/card-proofs/reopen-card.ts';
import { takeBackGift } from '../../core/cards/take-back-gift.ts';
import { cancelGift } from '../../core/gifts/cancel/cancel-gift.ts';
import { undoClaim } from '../../core/gifts/claim/undo-claim.ts';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { GiftPage } from '../../core/gifts/gift/portal-schema.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import { holdGift, releaseGift } from '../../core/gifts/hold/hold-gift.ts';
import { replaceLink, resendGift } from '../../core/gifts/send/send-again.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { Environment } from '../../platform/api/schema.ts';
import { admitted } from '../../platform/authentication/caller.ts';
import type { Actor } from '../../platform/base/actor.ts';
import { encodeId } from '../../platform/base/ids.ts';
import type { AllDeps } from '../deps.ts';
import { type OperatorRegister, Reason } from './register.ts';

const PATH = '/gifts/{gift_id}';

const OperatedGift = Type.Object(
  {
    organization_id: Type.String(),
    organization_name: Type.String(),
    environment: Environment,
    ...GiftPage.properties,
  },
  { $id: 'OperatedGift' },
);

type Of = Awaited<ReturnType<typeof findGiftOwner>> & { actor: Extract<Actor, { kind: 'operator' }> };

/** What an operator can do to a gift, as `bestow gift` does. */
const acts: readonly {
  name: string;
  operationId: string;
  summary: string;
  act: (deps: AllDeps, of: Of) => Promise<unknown>;
}[] = [
  {
    name: 'hold',
    operationId: 'holdGift',
    summary: 'Puts a gift on hold: no one can claim it, see its card or get a new link.',
    act: (deps, of) => holdGift(deps, of),
  },
  {
    name: 'release',
    operationId: 'releaseGift',
    summary: 'Ends the hold of a gift.',
    act: (deps, of) => releaseGift(deps, of),
  },
  {
    name: 'resend',
    operationId: 'resendGift',
    summary: 'Sends an unclaimed gift again to its address. Earlier links stay valid.',
    act: (deps, { scope, ...again }) => resendGift(deps, admitted(scope), again),
  },
  {
    name: 'new-link',
    operationId: 'replaceGiftLink',
    summary:
      'Ends all links of an unclaimed gift and sends it again; a link gift’s new link is shown to its organization.',
    act: (deps, { scope, ...again }) => replaceLink(deps, admitted(scope), again),
  },
  {
    name: 'undo-claim',
    operationId: 'undoClaim',
    summary: 'Makes a gift claimable again whose card’s issuer never answers.',
    act: (deps, of) => undoClaim(deps, of),
  },
  {
    name: 'take-back',
    operationId: 'takeBackGift',
    summary: 'Ends the card of a claimed gift at its issuer; what is left on it returns to the balance.',
    act: (deps, of) => takeBackGift(deps, of),
  },
  {
    name: 'reopen-card',
    operationId: 'reopenCard',
    summary: 'Lets another browser show a claimed card, once within 24 hours.',
    act: (deps, of) => reopenCard(deps, of),
  },
  {
    name: 'cancel',
    operationId: 'cancelGift',
    summary: 'Cancels an unclaimed gift; its amount returns to the balance.',
    act: (deps, { scope, ...of }) => cancelGift(deps, admitted(scope), { ...of, reason: of.actor.reason }),
  },
];

/** A gift of any organization. */
export function giftRoutes(register: OperatorRegister, deps: AllDeps): void {
  const show = async (id: string) => {
    const { scope, giftId } = await findGiftOwner(deps, id);
    const organizationId = encodeId('org', scope.organizationId);
    const [{ name }, history] = await Promise.all([
      findOrganization(deps, organizationId),
      showGiftPage(deps, scope, giftId),
    ]);
    return {
      organization_id: organizationId,
      organization_name: name,
      environment: scope.environment,
      ...history,
    };
  };

  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'showGift',
      tag: 'Gifts',
      summary: 'A gift with its recipient and its timeline. The look is in the operator’s log.',
      showsPerson: true,
      response: OperatedGift,
    },
    ({ params }) => show(params.gift_id),
  );

  for (const { name, operationId, summary, act } of acts)
    register(
      {
        method: 'POST',
        path: `${PATH}/${name}`,
        operationId,
        tag: 'Gifts',
        summary,
        body: Type.Object({ reason: Reason }),
        response: OperatedGift,
      },
      async ({ params, actor }) => {
        await act(deps, { ...(await findGiftOwner(deps, params.gift_id)), actor });
        return show(params.gift_id);
      },
    );
}
