import { Type } from 'typebox';
import { showGiftPage } from '../../core/gifts/find/show-gift-page.ts';
import { GiftPage } from '../../core/gifts/gift/portal-schema.ts';
import { findGiftOwner } from '../../core/gifts/hold/find-gift-owner.ts';
import { findOrganization } from '../../core/organizations/find-organization.ts';
import { Environment } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { giftActs, holdActs } from '../commands/gift.ts';
import type { AllDeps } from '../deps.ts';
import { actRoutes } from './act-routes.ts';
import type { OperatorRegister } from './register.ts';

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

  actRoutes(
    register,
    deps,
    { ...holdActs, ...giftActs },
    { response: OperatedGift, show: ({ gift_id: id = '' }) => show(id) },
  );
}
