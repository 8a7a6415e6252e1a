/** Code that is mutated, from `server/src` on, and the test files that hold it, from `server` on, the first ones first. */
export interface MutatedModule {
  path: string;
  tests: readonly string[];
}

/** Neither database, network nor files: every mutant of these is run, each in a process that takes parts of a second. */
export const pureModules: readonly MutatedModule[] = [
  { path: 'base/format-money.ts', tests: ['src/base/format-money.test.ts'] },
  { path: 'base/id-time.ts', tests: ['src/base/id-time.test.ts'] },
  { path: 'base/ids.ts', tests: ['src/base/ids.test.ts'] },
  { path: 'base/recent-map.ts', tests: ['src/base/recent-map.test.ts'] },
  { path: 'base/type-id.ts', tests: ['src/base/ids.test.ts'] },
  { path: 'gifts/address.ts', tests: ['src/gifts/address.test.ts'] },
  { path: 'gifts/present-gift.ts', tests: ['src/orders/present-order.test.ts'] },
  { path: 'gifts/redirectability.ts', tests: ['src/gifts/status.test.ts'] },
  { path: 'gifts/simulations.ts', tests: ['src/gifts/status.test.ts'] },
  { path: 'gifts/status.ts', tests: ['src/gifts/status.test.ts'] },
  { path: 'rate-limits/rate-limit.ts', tests: ['src/http/rate-limit.test.ts'] },
  { path: 'keys/key-format.ts', tests: ['src/keys/key-format.test.ts'] },
  { path: 'orders/fingerprint.ts', tests: ['src/orders/fingerprint.test.ts'] },
  { path: 'orders/placement-queue.ts', tests: ['src/orders/placement-queue.test.ts'] },
  { path: 'orders/prepare-order.ts', tests: ['src/orders/prepare-order.test.ts'] },
  { path: 'orders/present-order.ts', tests: ['src/orders/present-order.test.ts'] },
  { path: 'redemption/foreign-form.ts', tests: ['src/redemption/foreign-form.test.ts'] },
  { path: 'redemption/links.ts', tests: ['src/redemption/links.test.ts'] },
  { path: 'base/mask-address.ts', tests: ['src/redemption/links.test.ts'] },
  { path: 'redemption/place.ts', tests: ['src/redemption/links.test.ts'] },
  { path: 'redemption/purchase-form.ts', tests: ['src/redemption/purchase-form.test.ts'] },
  { path: 'sandbox/steer-answer.ts', tests: ['src/sandbox/steer-answer.test.ts'] },
  { path: 'sandbox/steered-state.ts', tests: ['src/sandbox/steering.test.ts'] },
  { path: 'sandbox/steering-table.ts', tests: ['src/sandbox/steering.test.ts'] },
  { path: 'sandbox/steering.ts', tests: ['src/sandbox/steering.test.ts'] },
  // Last: its tests wait for real.
  { path: 'base/batch.ts', tests: ['src/base/batch.test.ts'] },
];

/**
 * The rest of these folders, and single files of others, need PostgreSQL; a sample of their mutants is run by the tests here
 * that reach them.
 */
const sampled: Record<string, readonly string[]> = {
  balances: [
    'test/portal-reads-balances.test.ts',
    'test/low-balance.test.ts',
    'test/portal-balance.test.ts',
    'test/portal-test-funds.test.ts',
    'test/operator-balances.test.ts',
    'test/operator-sandbox.test.ts',
    'test/operator-organizations.test.ts',
    'test/orders.test.ts',
    'test/portal-reads-orders.test.ts',
  ],
  keys: [
    'test/authentication.test.ts',
    'test/portal-access.test.ts',
    'test/operator-keys.test.ts',
    'test/operator-organizations.test.ts',
    'test/audit.test.ts',
    'test/recalled-keys.test.ts',
  ],
  'authentication/authenticate.ts': ['test/authentication.test.ts', 'test/recalled-keys.test.ts'],
  'authentication/identify.ts': [
    'test/recalled-keys.test.ts',
    'test/late-bodies.test.ts',
    'test/authentication.test.ts',
    'test/unknown-placements.test.ts',
    'test/steering-answers.test.ts',
    'test/database-out-of-reach.test.ts',
    'test/request-log.test.ts',
    'test/shared-rate-limit.test.ts',
    'test/order-of-checks-orders.test.ts',
    'test/order-of-checks.test.ts',
    'test/rate-limit.test.ts',
  ],
  orders: [
    'test/orders.test.ts',
    'test/order-of-checks-orders.test.ts',
    'test/validation-values.test.ts',
    'test/portal-orders.test.ts',
    'test/portal-reads-orders.test.ts',
    'test/steering-answers.test.ts',
    'test/pagination.test.ts',
    'test/unknown-placements.test.ts',
    'test/outbox.test.ts',
    'test/races.test.ts',
    'test/database-out-of-reach.test.ts',
  ],
  redemption: [
    'src/redemption/page.test.ts',
    'src/redemption/link-secret.test.ts',
    'test/link-page.test.ts',
    'test/recipient-page.test.ts',
    'test/renewed-link.test.ts',
    'test/cards.test.ts',
    'test/links.test.ts',
  ],
  sandbox: ['test/simulations.test.ts', 'test/steering.test.ts', 'test/reset.test.ts', 'test/audit.test.ts'],
};

/** What the interface's description is made from, and so the test that compares it as a whole. */
const DESCRIBED = /\/(?:schema|routes)\.ts$/;
const DESCRIPTION_TEST = 'test/generated.test.ts';

export const sampledPatterns = Object.keys(sampled).map((place) => (place.endsWith('.ts') ? place : `${place}/*.ts`));

/** The tests that hold a file of the sample. */
export function testsOf(path: string): readonly string[] {
  const tests = sampled[path] ?? sampled[path.split('/')[0] ?? ''] ?? [];
  return DESCRIBED.test(path) ? [DESCRIPTION_TEST, ...tests] : tests;
}
