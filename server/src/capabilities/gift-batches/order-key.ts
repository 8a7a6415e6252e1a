import { encodeId } from '../../platform/base/ids.ts';

const ROWS_PER_ORDER = 10;

/** The idempotency key of the order that a row is in: `batch_<id>_<n>`, from 1. */
export const orderKey = (batchId: string, rowNumber: number): string =>
  `${encodeId('batch', batchId)}_${Math.ceil(rowNumber / ROWS_PER_ORDER)}`;
