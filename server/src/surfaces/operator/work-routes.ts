import { Type } from 'typebox';
import { listAllTopups } from '../../capabilities/topups/list-topups.ts';
import { Topup } from '../../capabilities/topups/schema.ts';
import { listOrganizations } from '../../core/organizations/list-organizations.ts';
import { Cents, Environment, nullable, oneOf, Time } from '../../platform/api/schema.ts';
import type { AllDeps } from '../deps.ts';
import { listFailingMessages, showWork } from '../doctor/show-work.ts';
import type { OperatorRegister } from './register.ts';

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
  register(
    {
      method: 'GET',
      path: '/messages/failing',
      operationId: 'listFailingMessages',
      tag: 'Work',
      summary: 'Live messages to recipients that no provider accepted, newest first.',
      response: Type.Object({ data: FailingMessages }),
    },
    async () => ({ data: await listFailingMessages(deps) }),
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
    () => showWork(deps),
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
