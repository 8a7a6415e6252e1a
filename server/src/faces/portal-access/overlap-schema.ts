import { Type } from 'typebox';
import { MAX_OVERLAP_HOURS } from '../../core/keys/roll-key.ts';

/** The body that replaces a secret: for how long the earlier one works on. */
export const Overlap = Type.Object({
  overlap_hours: Type.Integer({
    minimum: 0,
    maximum: MAX_OVERLAP_HOURS,
    'x-rule': `must be a whole number of hours from 0 to ${MAX_OVERLAP_HOURS}`,
  }),
});
