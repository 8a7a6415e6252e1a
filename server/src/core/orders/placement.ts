import type { CallerRow } from '../../platform/authentication/caller.ts';
import type { ExceededCap } from '../caps/cap-refusal.ts';
import type { AsJson } from '../gifts/gift/from-json.ts';
import type { References } from '../gifts/gift/present-references.ts';
import type { GiftRow } from '../gifts/gift/queries.ts';

/** The outcome for each order of a group; `n` is its index in the group. */
export interface PlacementRow extends CallerRow {
  n: number;
  outcome:
    | 'placed'
    | 'key_refused'
    | 'replayed'
    | 'key_reused'
    | 'in_progress'
    | 'external_id_taken'
    | 'held'
    | 'unknown_category'
    | 'not_granted'
    | 'needs_approval'
    | 'refused'
    | 'not_configured'
    | 'without_issuer'
    | 'locked'
    | 'insufficient_balance'
    | 'over_cap'
    | 'stale_ids'
    | 'run_again'
    | 'unusual';
  /** For `replayed`: the order as it is now. */
  earlier: EarlierOrder | null;
  /** For `stale_ids`: the id that the order's ids must exceed. */
  last_id: string | null;
  /** For `external_id_taken`: the order that has it. */
  taken_by?: string | null;
  /** Position of the first gift with an unknown or retired category. */
  unknown_category_position?: number | null;
  /** For `not_granted`. */
  grant_refusal?: GrantRefusal | null;
  /** For `without_issuer`: the category. */
  without_issuer?: string | null;
  /** For `over_cap`. */
  cap?: ExceededCap | null;
}

/** The first gift that an agent's grant does not include: its category, its recipient, or any link gift. */
export interface GrantRefusal {
  position: number;
  rule: 'category' | 'recipient' | 'link';
}

/** As JSON, so times are texts. */
export interface EarlierOrder extends References {
  order_id: string;
  is_processing: boolean;
  gifts: AsJson<GiftRow>[];
}
