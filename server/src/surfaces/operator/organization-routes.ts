import { Type } from 'typebox';
import { listEntries } from '../../core/balances/list-entries.ts';
import { EntryKind, LedgerEntry } from '../../core/balances/portal-schema.ts';
import { showBrand } from '../../core/face/set-brand.ts';
import { searchGifts } from '../../core/gifts/find/search-gifts.ts';
import { maskGiftAddress } from '../../core/gifts/gift/address.ts';
import { GiftSummary } from '../../core/gifts/gift/portal-schema.ts';
import { GiftStatus } from '../../core/gifts/gift/shown-state.ts';
import { showProgram } from '../../core/organizations/set-program.ts';
import { pageAnswer, pageOf, pageQuery, readPage } from '../../faces/portal-access/list-schema.ts';
import { Cents, Environment, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { AuditEvent } from '../../platform/audit/event-schema.ts';
import { Role } from '../../platform/authentication/role-schema.ts';
import { BestowError } from '../../platform/base/errors.ts';
import { decodeId } from '../../platform/base/ids.ts';
import { listAuditEvents } from '../audit-log.ts';
import { showOrganization } from '../commands/show-organization.ts';
import type { AllDeps } from '../deps.ts';
import { findOrganizationLines, OrganizationLine } from './organization-lines.ts';
import type { OperatorRegister } from './register.ts';

const PAGE_SIZE = 50;

const Cap = nullable(Type.Object({ cap: Cents, spent: Cents }));

const OneEnvironment = Type.Object({
  environment: Environment,
  balance: Cents,
  owed: Cents,
  last_order: nullable(Type.Object({ order_id: Type.String(), amount: Cents, created_at: Time })),
  failed_messages: Type.Object({ count: Type.Integer(), has_more: Type.Boolean() }),
  caps: Type.Array(
    Type.Object({
      key_id: nullable(Type.String({ description: 'Null: all orders.' })),
      name: nullable(Type.String()),
      hour: Cap,
      day: Cap,
    }),
  ),
});

const Organization = Type.Object(
  {
    organization_id: Type.String(),
    name: Type.String(),
    billing_contact_member_id: nullable(Type.String()),
    created_at: Time,
    suspended_at: nullable(Time),
    gifts_held_at: nullable(Time),
    environments: Type.Array(OneEnvironment),
    members: Type.Array(
      Type.Object({
        member_id: Type.String(),
        email: Type.String(),
        role: Role,
        created_at: Time,
        deactivated_at: nullable(Time),
        invitation: nullable(oneOf('pending', 'ended')),
      }),
    ),
    keys: Type.Array(
      Type.Object({
        key_id: Type.String(),
        environment: Environment,
        name: Type.String(),
        hint: Type.String(),
        created_at: Time,
        last_used_at: nullable(Time),
        revoked_at: nullable(Time),
        expires_at: nullable(Time),
      }),
    ),
    issuers: Type.Array(
      Type.Object({
        issuer_id: Type.String(),
        kind: Type.String(),
        category: nullable(Type.String()),
        state: oneOf('chosen', 'removed'),
        cards: Type.Integer(),
        funding: nullable(Type.Object({ state: oneOf('sufficient', 'low'), unspent: Cents, checked_at: Time })),
        stock: nullable(Type.Object({ codes: Type.Integer(), is_low: Type.Boolean() })),
      }),
    ),
    program: Type.Object({
      program: oneOf('award', 'sold'),
      unclaimed_after_days: nullable(Type.Integer()),
      reminder_days: Type.Array(Type.Integer()),
      messages_show_value: Type.Boolean(),
    }),
    brand: Type.Object({
      color: nullable(Type.String()),
      text_color: nullable(Type.String()),
      footer: nullable(Type.String()),
      sender_name: nullable(Type.String()),
      reply_to: nullable(Type.String()),
      logo: nullable(Type.Object({ path: Type.String(), width: Type.Integer(), height: Type.Integer() })),
    }),
  },
  { $id: 'OperatedOrganization' },
);

const PATH = '/organizations';
const ONE = `${PATH}/{organization_id}` as const;
const SCOPE = `${ONE}/{environment}` as const;

/** Organizations as the operator sees them. Addresses of recipients are masked. */
export function organizationRoutes(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: PATH,
      operationId: 'listOrganizations',
      tag: 'Organizations',
      summary: 'All organizations, newest first; `query` is a part of a name, or an id.',
      query: Type.Object({
        query: Type.Optional(Type.String({ maxLength: 200 })),
        after: Type.Optional(Type.String({ maxLength: 40, description: 'The last one of the page before.' })),
      }),
      response: Type.Object({ data: Type.Array(OrganizationLine), has_more: Type.Boolean() }),
    },
    async ({ query: { query, after } }) => {
      const lines = await findOrganizationLines(deps, { query, after, limit: PAGE_SIZE + 1 });
      return { data: lines.slice(0, PAGE_SIZE), has_more: lines.length > PAGE_SIZE };
    },
  );

  register(
    {
      method: 'GET',
      path: ONE,
      operationId: 'showOrganization',
      tag: 'Organizations',
      summary: 'One organization: members, keys, money, issuers, brand and limits.',
      response: Organization,
    },
    async ({ params, organizationId }) => {
      const [shown, program, brand] = await Promise.all([
        showOrganization(deps, params.organization_id),
        showProgram(deps, organizationId),
        showBrand(deps, organizationId),
      ]);
      return { ...shown, program, brand };
    },
  );

  addLists(register, deps);
}

function addLists(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: `${SCOPE}/entries`,
      operationId: 'listEntries',
      tag: 'Organizations',
      summary: 'The ledger’s entries, newest first.',
      query: Type.Object({ kind: Type.Optional(EntryKind), ...pageQuery }),
      response: pageOf(LedgerEntry),
    },
    async ({ scope, query }) => pageAnswer(await listEntries(deps, scope, { kind: query.kind, ...readPage(query) })),
  );

  register(
    {
      method: 'GET',
      path: `${SCOPE}/gifts`,
      operationId: 'listGifts',
      tag: 'Organizations',
      summary: 'Gifts, newest first, with masked addresses and without names.',
      query: Type.Object({
        status: Type.Optional(GiftStatus),
        query: Type.Optional(Type.String({ maxLength: 40, description: 'The id of a gift or an order.' })),
        ...pageQuery,
      }),
      response: pageOf(GiftSummary),
    },
    async ({ scope, query: { status, query, ...page } }) => {
      requireNoPerson(query);
      const found = await searchGifts(deps, scope, { status, query, ...readPage(page) });
      const rows = found.rows.map((gift) => ({
        ...gift,
        recipient_name: null,
        address: maskGiftAddress(gift.address),
      }));
      return pageAnswer({ ...found, rows });
    },
  );

  register(
    {
      method: 'GET',
      path: `${SCOPE}/audit-events`,
      operationId: 'listAuditEvents',
      tag: 'Organizations',
      summary: 'The audit log of an environment and of the whole organization, latest first.',
      query: Type.Object(pageQuery),
      response: pageOf(AuditEvent),
    },
    async ({ scope: { organizationId, environment }, query }) =>
      pageAnswer(await listAuditEvents(deps, { organizationId, page: readPage(query), filters: { environment } })),
  );
}

/** A search by an address would tell what is masked, and its URL reaches logs. @throws BestowError `parameter_invalid` */
function requireNoPerson(query = ''): void {
  const id = query.trim().toLowerCase();
  if (id === '' || (decodeId('gift', id) ?? decodeId('ord', id)) !== undefined) return;
  throw new BestowError('parameter_invalid', {
    param: 'query',
    message: 'Give the id of a gift or an order. The page Search finds gifts by all else, and the log has it.',
  });
}
