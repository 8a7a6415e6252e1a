import { Type } from 'typebox';
import { findEverywhere } from '../../capabilities/gift-search/find-everywhere.ts';
import { findLoggedRequest } from '../../capabilities/request-log/find-any-request.ts';
import { findTopup } from '../../capabilities/topups/list-topups.ts';
import { shownState } from '../../core/gifts/gift/shown-state.ts';
import { findEveryMembership } from '../../core/organizations/find-memberships.ts';
import { Cents, Environment, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { AllDeps } from '../deps.ts';
import { findOrganizationLines, OrganizationLine } from './organization-lines.ts';
import type { OperatorRegister } from './register.ts';

const MOST = 50;

const Found = Type.Object(
  {
    organizations: Type.Array(OrganizationLine),
    gifts: Type.Array(
      Type.Object({
        gift_id: Type.String(),
        order_id: Type.String(),
        organization_id: Type.String(),
        organization_name: Type.String(),
        environment: Environment,
        ...shownState,
        amount: Cents,
        method: oneOf('email', 'phone', 'link'),
        address: nullable(Type.String({ description: 'Masked.' })),
        created_at: Time,
        found_by: Type.String({ description: 'Such as `order` or `address`.' }),
      }),
    ),
    members: Type.Array(
      Type.Object({ organization_id: Type.String(), organization_name: Type.String(), member_id: Type.String() }),
      { description: 'Memberships of an email address.' },
    ),
    request: nullable(
      Type.Object({
        request_id: Type.String(),
        organization_id: Type.String(),
        environment: Environment,
        method: Type.String(),
        path: Type.String(),
        status: nullable(Type.Integer()),
        created_at: Time,
      }),
    ),
    topup: nullable(
      Type.Object({
        topup_id: Type.String(),
        organization_id: Type.String(),
        state: Type.String(),
        amount: Cents,
        created_at: Time,
      }),
    ),
  },
  { $id: 'Found' },
);

/** One search over everything that a customer may name. */
export function searchRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'POST',
      path: '/search',
      operationId: 'search',
      tag: 'Search',
      summary:
        'Finds organizations, gifts, members, a request and a top-up by an id, a name, an address, an external id, a card or a code.',
      showsPerson: true,
      // In the body: proxies log addresses of requests.
      body: Type.Object({ query: Type.String({ maxLength: 500 }) }),
      response: Found,
    },
    async ({ body: { query }, actor }) => {
      const text = query.trim();
      const isAddress = text.includes('@');
      const [organizations, gifts, memberships, request, topup] = await Promise.all([
        text === '' ? [] : findOrganizationLines(deps, { query: text, limit: MOST }),
        findEverywhere(deps, { query: text, actor, limit: MOST }),
        isAddress ? findEveryMembership(deps, text.toLowerCase()) : [],
        findLoggedRequest(deps, text),
        findTopup(deps, text),
      ]);
      return {
        organizations,
        gifts,
        members: memberships.map(({ organization_id, organization_name, member_id }) => ({
          organization_id,
          organization_name,
          member_id,
        })),
        request: request ?? null,
        topup: topup ?? null,
      };
    },
    ({ body: { query } }) => ({ query: shown(query.trim()) }),
  );
}

/** The log outlives an erasure, and a link or a code is worth money: it has ids only. */
const shown = (text: string) =>
  /^[a-z]+_[0-9a-z]{26}$/i.test(text) ? text : text.includes('@') ? maskAddress(text) : `${text.slice(0, 2)}…`;
