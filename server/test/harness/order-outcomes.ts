import { setCaps } from '../../src/core/caps/set-caps.ts';
import { retireCategory } from '../../src/core/catalog/retire-category.ts';
import type { PlacementRow } from '../../src/core/orders/placement.ts';
import type { OrderRecord } from '../../src/core/orders/prepare-order.ts';
import type { OrderInputBody } from '../../src/core/orders/schema.ts';
import { holdGifts } from '../../src/core/organizations/hold-gifts.ts';
import { suspendOrganization } from '../../src/core/organizations/suspend-organization.ts';
import type { Environment } from '../../src/platform/base/environment.ts';
import { OPERATOR } from './operator.ts';
import { type TestOrganization, type TestService, testConfig } from './test-service.ts';

const production = testConfig({ NODE_ENV: 'production' });

type Outcome = PlacementRow['outcome'];
type Usual = 'the same' | Outcome;

/** An order, and what each statement that places orders says of it. */
export interface OutcomeCase {
  any: Outcome;
  /** What the statement for usual orders says; `unusual` hands the order over. */
  usual: Usual;
  environment?: Environment;
  cents?: number;
  body?: OrderInputBody;
  idempotencyKey?: string;
  /** Comes first; with `earlier` and `taken` there is an order of each already. */
  prepare?: (organization: TestOrganization, service: TestService) => Promise<unknown>;
  /** Another session's lock meanwhile. */
  lock?: (record: OrderRecord) => string;
  config?: typeof production;
  /** Ids as of a clock that is an hour late. */
  hasOldIds?: boolean;
}

const link = { amount: 2500, category: 'coffee', delivery: { method: 'link' as const } };
const to = (email: string) => ({ ...link, delivery: { method: 'email' as const, email } });
export const one: OrderInputBody = { gifts: [link] };
export const taken: OrderInputBody = { gifts: [link], external_id: 'taken' };
const lockBalance = ({ organization_id: id }: OrderRecord) =>
  `select from balances where organization_id = '${id}' for update`;
const lockKey = ({ key_lock: lock }: OrderRecord) => `select pg_advisory_xact_lock(${lock})`;
const suspend = ({ organizationId }: TestOrganization, { service: { deps } }: TestService) =>
  suspendOrganization(deps, { organizationId, actor: OPERATOR });
const hold = ({ organizationId }: TestOrganization, { service: { deps } }: TestService) =>
  holdGifts(deps, { organizationId, actor: OPERATOR });
const deactivateAll = async ({ addMembers, deactivate }: TestOrganization) => {
  const { first, second } = await addMembers();
  await deactivate(first);
  await deactivate(second);
};
const cap = ({ organizationId }: TestOrganization, { service: { deps } }: TestService) =>
  setCaps(deps, { organizationId, environment: 'sandbox', amounts: { day: 6_000 }, actor: OPERATOR });

export const outcomes: Record<string, OutcomeCase> = {
  'an order of each kind of gift': {
    any: 'placed',
    usual: 'the same',
    body: {
      gifts: [link, to('ada@example.com'), { ...link, delivery: { method: 'phone', phone: '+12025550199' } }],
      external_id: 'free',
      metadata: { team: 'sales' },
    },
  },
  'a gift with names, language and metadata': {
    any: 'placed',
    usual: 'the same',
    body: {
      gifts: [
        {
          ...to('ada@example.com'),
          personalization: { recipient_name: 'Ada', sender_name: 'Bob', message: 'Hi' },
          language: 'de',
          external_id: 'row 1',
          metadata: { row: '1' },
        },
      ],
    },
  },
  'a live order': { any: 'placed', usual: 'the same', environment: 'live' },
  'the last cents of the balance': { any: 'placed', usual: 'the same', cents: 7_500 },
  'a replay': { any: 'replayed', usual: 'the same', idempotencyKey: 'earlier' },
  'a replay without balance': { any: 'replayed', usual: 'the same', idempotencyKey: 'earlier', cents: 5_000 },
  'a replay by its external_id': { any: 'replayed', usual: 'the same', idempotencyKey: 'taken', body: taken },
  'a replay of a category that is retired': {
    any: 'replayed',
    usual: 'the same',
    idempotencyKey: 'of books',
    body: { gifts: [{ ...link, category: 'retired' }] },
    prepare: async ({ sandbox }, service) => {
      await service.addCategory('retired');
      await sandbox.order([{ ...link, category: 'retired' }], 'of books');
      await retireCategory(service.service.deps, 'retired');
    },
  },
  'a replay without members': {
    any: 'replayed',
    usual: 'the same',
    idempotencyKey: 'earlier',
    prepare: deactivateAll,
  },
  'a reused key': {
    any: 'key_reused',
    usual: 'the same',
    idempotencyKey: 'earlier',
    body: { gifts: [to('ada@example.com')] },
  },
  'a reused key with an external_id that is taken': {
    any: 'key_reused',
    usual: 'the same',
    idempotencyKey: 'earlier',
    body: taken,
  },
  'a key in progress': { any: 'in_progress', usual: 'the same', lock: lockKey },
  'a key in progress with an external_id that is taken': {
    any: 'in_progress',
    usual: 'the same',
    lock: lockKey,
    body: taken,
  },
  'an external_id that is taken': { any: 'external_id_taken', usual: 'unusual', body: taken },
  'one that is taken, without balance': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    cents: 5_000,
  },
  'one that is taken, of a locked balance': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    lock: lockBalance,
  },
  'one that is taken, with old ids': { any: 'external_id_taken', usual: 'unusual', body: taken, hasOldIds: true },
  'one that is taken, over a cap': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: { ...taken, gifts: [link, link, link] },
    prepare: cap,
  },
  'one that is taken, of an unknown category': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: { ...taken, gifts: [{ ...link, category: 'nothing' }] },
  },
  'one that is taken, without members': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    prepare: deactivateAll,
  },
  'an unknown category': {
    any: 'unknown_category',
    usual: 'unusual',
    body: { gifts: [link, { ...link, category: 'nothing' }] },
  },
  'a live order to the sandbox domain': {
    any: 'refused',
    usual: 'unusual',
    environment: 'live',
    body: { gifts: [to('delivered@sandbox.gift.test')] },
  },
  'no member': { any: 'not_configured', usual: 'unusual', prepare: deactivateAll },
  'no issuer in production': { any: 'without_issuer', usual: 'unusual', environment: 'live', config: production },
  'an organization whose gifts are on hold': { any: 'held', usual: 'unusual', prepare: hold },
  'a replay while its gifts are on hold': {
    any: 'replayed',
    usual: 'the same',
    idempotencyKey: 'earlier',
    prepare: hold,
  },
  'one that is taken, while its gifts are on hold': {
    any: 'external_id_taken',
    usual: 'unusual',
    body: taken,
    prepare: hold,
  },
  'an unknown category while its gifts are on hold': {
    any: 'held',
    usual: 'unusual',
    body: { gifts: [{ ...link, category: 'nothing' }] },
    prepare: hold,
  },
  'a suspended organization': { any: 'key_refused', usual: 'unusual', prepare: suspend },
  'a replay of a suspended organization': {
    any: 'key_refused',
    usual: 'unusual',
    idempotencyKey: 'earlier',
    prepare: suspend,
  },
  'a locked balance': { any: 'locked', usual: 'the same', lock: lockBalance },
  'too low a balance': { any: 'insufficient_balance', usual: 'the same', cents: 5_000 },
  'too low a balance for a free external_id': {
    any: 'insufficient_balance',
    usual: 'the same',
    cents: 5_000,
    body: { ...one, external_id: 'free' },
  },
  'no balance': { any: 'insufficient_balance', usual: 'the same', environment: 'live', cents: 0 },
  'within a cap': { any: 'placed', usual: 'unusual', prepare: cap, body: { gifts: [{ ...link, amount: 1000 }] } },
  'over a cap': { any: 'over_cap', usual: 'unusual', prepare: cap },
  'old ids': { any: 'stale_ids', usual: 'the same', hasOldIds: true },
};
