import { Type } from 'typebox';
import { listAllTopups } from '../../capabilities/topups/list-topups.ts';
import { Topup } from '../../capabilities/topups/schema.ts';
import { shownUrl } from '../../capabilities/webhooks/endpoint-input.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import { Cents, Environment, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import { encodeId } from '../../platform/base/ids.ts';
import { maskAddress } from '../../platform/base/mask-address.ts';
import type { Queryable } from '../../platform/database/statement.ts';
import { queues } from '../../platform/jobs/tasks.ts';
import type { AllDeps } from '../deps.ts';
import * as queries from './queries.ts';
import type { OperatorRegister } from './register.ts';

/** Rows of a list; what is more waits until these are done. */
const MOST = 100;
/** Of each organization, so that one does not fill the list. */
const MOST_OF_EACH = 20;
const PAGE_SIZE = 50;

const owner = { organization_id: Type.String(), organization_name: Type.String() };

const FailingMessages = Type.Array(
  Type.Object({
    ...owner,
    gift_id: Type.String(),
    channel: oneOf('email', 'phone'),
    address: nullable(Type.String({ description: 'Masked.' })),
    state: oneOf('pending', 'failed'),
    tries: Type.Integer(),
    reason: nullable(Type.String({ description: 'In words.' })),
    created_at: Time,
  }),
);

const Work = Type.Object(
  {
    queues: Type.Array(
      Type.Object({
        queue: Type.String({ description: 'Such as `send-email`.' }),
        waiting: Type.Integer(),
        due: Type.Integer({ description: 'Jobs that could be done now.' }),
        oldest_due_at: nullable(Time),
        retried: Type.Integer({ description: 'Jobs that failed before.' }),
      }),
    ),
    endpoints: Type.Array(
      Type.Object({
        ...owner,
        environment: Environment,
        endpoint_id: Type.String(),
        url: Type.String(),
        failing_since: nullable(Time),
        failures: Type.Integer(),
        disabled_at: nullable(Time),
        disabled_reason: nullable(oneOf('gone', 'failing')),
      }),
    ),
    claims: Type.Array(
      Type.Object({
        ...owner,
        environment: Environment,
        gift_id: Type.String(),
        amount: Cents,
        claiming_at: Time,
      }),
    ),
    approvals: Type.Array(
      Type.Object({
        ...owner,
        approval_id: Type.String(),
        environment: Environment,
        kind: oneOf('funding', 'adjustment'),
        amount: Type.Integer({ description: 'Signed cents.' }),
        reference: nullable(Type.String()),
        note: nullable(Type.String()),
        requested_by: Type.String(),
        created_at: Time,
      }),
    ),
    stocks: Type.Array(
      Type.Object({
        ...owner,
        category: Type.String(),
        value: Cents,
        codes: Type.Integer(),
        is_low: Type.Boolean({ description: 'Fewer than the issuer’s `low_stock`.' }),
      }),
    ),
  },
  { $id: 'Work' },
);

/** What waits or fails, of all organizations. Lists have at most a hundred rows, the most urgent first. */
export function workRoutes(register: OperatorRegister, deps: AllDeps): void {
  const { shards, home } = deps.database;

  register(
    {
      method: 'GET',
      path: '/messages/failing',
      operationId: 'listFailingMessages',
      tag: 'Work',
      summary: 'Live messages to recipients that no provider accepted, newest first.',
      response: Type.Object({ data: FailingMessages }),
    },
    async () => {
      const rows = await queries.selectFailingMessages.ofLiving(shards, [MOST_OF_EACH, MOST]);
      const data = rows
        .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime())
        .slice(0, MOST)
        .map(({ gift_id, address, ...row }) => ({
          ...withOwner(row),
          gift_id: encodeId('gift', gift_id),
          address: address === null ? null : maskAddress(address),
        }));
      return { data };
    },
  );

  register(
    {
      method: 'GET',
      path: '/work',
      operationId: 'showWork',
      tag: 'Work',
      summary: 'Queues with their age, failing endpoints, claims and approvals that wait, and stocks of codes.',
      response: Work,
    },
    async () => ({
      queues: await sumQueues(deps, [...new Set([...shards, home])]),
      endpoints: (await queries.selectFailingEverywhere.ofLiving(shards, [MOST])).map(
        ({ endpoint_id, url, ...row }) => ({
          ...withOwner(row),
          endpoint_id: encodeId('wh', endpoint_id),
          url: shownUrl(url),
        }),
      ),
      claims: (await queries.selectWaitingClaims.ofLiving(shards, [queues.claim.name, MOST])).map(
        ({ gift_id, amount_cents, ...row }) => ({
          ...withOwner(row),
          gift_id: encodeId('gift', gift_id),
          amount: amount_cents,
        }),
      ),
      approvals: (await queries.selectWaitingEverywhere.ofLiving(shards, [MOST])).map(
        ({ approval_id, amount_cents, ...row }) => ({
          ...withOwner(row),
          approval_id: encodeId('apr', approval_id),
          amount: amount_cents,
        }),
      ),
      stocks: (await queries.selectStocks.ofLiving(shards, [today(deps), MOST])).map(
        ({ category_id, value_cents, in_stock, low_stock, ...row }) => ({
          ...withOwner(row),
          category: category_id,
          value: value_cents,
          codes: in_stock,
          is_low: low_stock !== null && in_stock < low_stock,
        }),
      ),
    }),
  );

  addTopups(register, deps);
}

function addTopups(register: OperatorRegister, deps: AllDeps): void {
  register(
    {
      method: 'GET',
      path: '/topups',
      operationId: 'listTopups',
      tag: 'Work',
      summary: 'Top-ups of all organizations, newest first.',
      query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 40 })) }),
      response: Type.Object({
        data: Type.Array(Type.Object({ ...owner, ...Topup.properties })),
        has_more: Type.Boolean(),
      }),
    },
    async ({ query: { after } }) => {
      const topups = await listAllTopups(deps, { organizationId: undefined, limit: PAGE_SIZE + 1, after });
      const names = new Map((await listOrganizations(deps)).map((one) => [one.organization_id, one.name]));
      const data = topups
        .slice(0, PAGE_SIZE)
        .map((topup) => ({ ...topup, organization_name: names.get(topup.organization_id) ?? '' }));
      return { data, has_more: topups.length > PAGE_SIZE };
    },
  );
}

const today = ({ clock }: AllDeps) => new Date(clock.now()).toISOString().slice(0, 10);

const withOwner = <Row extends { organization_id: string; name: string }>({ organization_id, name, ...row }: Row) => ({
  ...row,
  organization_id: encodeId('org', organization_id),
  organization_name: name,
});

/** Adds up the queues of all servers, the one with the oldest job first. */
async function sumQueues(deps: AllDeps, servers: readonly Queryable[]) {
  const sums = new Map<string, Awaited<ReturnType<typeof queries.selectQueues>>[number]>();
  for (const row of await queries.selectQueues.ofLiving(servers, [new Date(deps.clock.now())])) {
    const sum = sums.get(row.queue);
    sums.set(row.queue, sum === undefined ? row : join(sum, row));
  }
  const ageOf = ({ oldest_due_at }: { oldest_due_at: Date | null }) =>
    oldest_due_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return [...sums.values()].sort((a, b) => ageOf(a) - ageOf(b) || (a.queue < b.queue ? -1 : 1));
}

function join<Row extends { waiting: number; due: number; retried: number; oldest_due_at: Date | null }>(
  one: Row,
  other: Row,
): Row {
  return {
    ...one,
    waiting: one.waiting + other.waiting,
    due: one.due + other.due,
    retried: one.retried + other.retried,
    oldest_due_at: earlier(one.oldest_due_at, other.oldest_due_at),
  };
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
