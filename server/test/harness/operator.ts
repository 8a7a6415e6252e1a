import type { Actor } from '../../src/base/actor.ts';

/** Who does what a test sets up. */
export const OPERATOR: Actor = { kind: 'operator', name: 'tester', address: 'test.host' };
