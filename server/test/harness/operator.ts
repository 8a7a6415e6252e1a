import type { Actor } from '../../src/platform/base/actor.ts';

/** The actor of a test's preparations. */
export const OPERATOR: Actor = { kind: 'operator', name: 'tester', address: 'test.host' };
