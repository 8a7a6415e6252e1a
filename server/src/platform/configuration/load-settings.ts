import { integer, zeroOrOne } from './setting-kinds.ts';

/** How much each process takes on, and what it spends on an answer. */
export const loadSettings = {
  RATE_LIMIT_PER_SECOND: integer('Requests per second that each key may send to one process', 1000, 1, 1_000_000),
  RATE_LIMIT_BURST: integer('Requests that each key may send to one process at once', 2000, 1, 10_000_000),
  RATE_LIMIT_ADDRESS_PER_SECOND: integer(
    'Requests per second of each client address without a valid key, to one process',
    1000,
    1,
    1_000_000,
  ),
  RATE_LIMIT_ADDRESS_BURST: integer(
    'Requests at once of each client address without a valid key, to one process',
    2000,
    1,
    10_000_000,
  ),
  ORDER_LOCK_WAIT_MS: integer(
    'Milliseconds that an order waits for a balance that another process has locked, before `resource_locked`',
    1_000,
    0,
    10_000,
  ),
  ORDER_BATCH: integer('Most orders that one statement and commit places; `1` turns batching off', 64, 1, 1_000),
  COMPRESS_LISTS: zeroOrOne(
    '`1` compresses long lists and CSV files of `/v1` for clients that accept gzip, except lists with links of gifts; `0` does not, for example because a proxy does',
    '1',
  ),
} as const;
