import type { Deps } from '../../core/deps.ts';
import { ANSWERED_WITHIN_MS } from './post.ts';

const MARGIN_MS = 1_000;

/** When a push that is under way has ended. */
export const pushEnds = ({ clock }: Pick<Deps, 'clock'>): Date =>
  new Date(clock.now() + ANSWERED_WITHIN_MS + MARGIN_MS);
