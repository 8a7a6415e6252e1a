import { statement, statementOfNone } from '../../platform/database/statement.ts';

/** The namespace of this advisory lock: `find` in ASCII. */
const FINDER_LOCKS = 0x66696e64;

/** Wrong codes of six digits for one address, ever. Together they guess a code with a chance of one in 50,000. */
const MOST_FAILURES = 20;
const SIX = 6;
/** Cannot be guessed, so a stranger's wrong codes lock no one out. */
const TWELVE = 12;

/** Lets requests for one address wait for each other, until the end of the transaction. */
export const lockAddress = statementOfNone<[addressHash: string]>(
  'finder.lock_address',
  `select pg_advisory_xact_lock(${FINDER_LOCKS}, hashtext($1))`,
);

/** The digits of an address's next code. */
export const selectDigits = statement<[addressHash: string], { digits: number }>(
  'finder.select_digits',
  `select case when coalesce((select failures from portal.finder_failures where address_hash = $1), 0) < ${MOST_FAILURES}
     then ${SIX} else ${TWELVE} end as digits`,
);

type NewCode = [holder: string, sealedCode: string, digits: number, addressHash: string, networkHash: string];
type Times = [now: Date, minuteAgo: Date, dayAgo: Date];

/**
 * Stores a new code, which ends the browser's earlier one. Returns no row before a minute has passed, after `mostOfNetwork` in
 * a day for the address from this network, and after `most` from all.
 */
export const storeCode = statement<[...NewCode, ...Times, mostOfNetwork: number, most: number], { holder: string }>(
  'finder.store_code',
  `with asked as (
     select coalesce(sum(codes_sent), 0) as codes,
       coalesce(sum(codes_sent) filter (where network_hash = $5), 0) as of_network,
       coalesce(max(code_sent_at) filter (where network_hash = $5 or holder = $1) > $7, false) as is_recent
     from portal.finder_flows where address_hash = $4 and code_sent_at > $8
   )
   insert into portal.finder_flows as f (holder, sealed_code, digits, address_hash, network_hash, code_sent_at, codes_sent)
   select $1, $2, $3, $4, $5, $6, 1 from asked where not is_recent and of_network < $9 and codes < $10
   on conflict (holder) do update
   set sealed_code = $2, digits = $3, network_hash = $5, code_sent_at = $6, tries = 0,
     codes_sent = case when f.code_sent_at > $8 then f.codes_sent + 1 else 1 end
   returning holder`,
);

/**
 * Counts an attempt before it is compared, for the browser and for the address. Returns no row if the browser has no code, or
 * the code is too old or has no attempts left, or has six digits and the address no attempts left.
 */
export const tryCode = statement<[holder: string, sentAfter: Date, mostTries: number], { sealed_code: string }>(
  'finder.try_code',
  `with tried as (
     update portal.finder_flows set tries = tries + 1
     where holder = $1 and sealed_code is not null and code_sent_at > $2 and tries < $3
     returning sealed_code, address_hash, digits
   ), counted as (
     insert into portal.finder_failures as f (address_hash, failures)
     select address_hash, 1 from tried where digits = ${SIX}
     on conflict (address_hash) do update set failures = f.failures + 1 where f.failures < ${MOST_FAILURES}
     returning failures
   )
   select sealed_code from tried where digits > ${SIX} or exists (select from counted)`,
);

/** Ends a right code, and takes its counted failure back. Returns no row if it was just used. */
export const endCode = statement<[holder: string, sealedCode: string], { holder: string }>(
  'finder.end_code',
  `with ended as (
     update portal.finder_flows set sealed_code = null where holder = $1 and sealed_code = $2
     returning holder, address_hash, digits
   ), released as (
     update portal.finder_failures f set failures = f.failures - 1 from ended
     where f.address_hash = ended.address_hash and ended.digits = ${SIX}
   )
   select holder from ended`,
);

export const deleteCodes = statement<[sentBefore: Date]>(
  'finder.delete_codes',
  'delete from portal.finder_flows where code_sent_at < $1',
);
