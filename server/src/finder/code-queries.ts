import { statement } from '../database/statement.ts';

/** Stores a new code, which ends the earlier one. Returns no row before a minute has passed, or after `most` in a day. */
export const storeCode = statement<
  [holder: string, sealedCode: string, now: Date, minuteAgo: Date, dayAgo: Date, most: number],
  { holder: string }
>(
  'finder.store_code',
  `insert into portal.finder_codes as f (holder, sealed_code, code_sent_at, codes_sent) values ($1, $2, $3, 1)
   on conflict (holder) do update
   set sealed_code = $2, code_sent_at = $3, tries = 0,
     codes_sent = case when f.code_sent_at > $5 then f.codes_sent + 1 else 1 end
   where f.code_sent_at <= $5 or (f.code_sent_at <= $4 and f.codes_sent < $6)
   returning holder`,
);

/** Counts an attempt before it is compared. Returns no row if there is no code, or it is too old or has no attempts left. */
export const tryCode = statement<[holder: string, sentAfter: Date, mostTries: number], { sealed_code: string }>(
  'finder.try_code',
  `update portal.finder_codes set tries = tries + 1
   where holder = $1 and sealed_code is not null and code_sent_at > $2 and tries < $3
   returning sealed_code`,
);

/** Ends a right code. Returns no row if it was just used. */
export const endCode = statement<[holder: string, sealedCode: string], { holder: string }>(
  'finder.end_code',
  'update portal.finder_codes set sealed_code = null where holder = $1 and sealed_code = $2 returning holder',
);

export const deleteCodes = statement<[sentBefore: Date]>(
  'finder.delete_codes',
  'delete from portal.finder_codes where code_sent_at < $1',
);
