import { foldAddress } from '../../../platform/database/folding.ts';
import { statement } from '../../../platform/database/statement.ts';

/** Starts a sign-in: the code works only with the cookie of this flow. */
export const insertFlow = statement<[flowHash: Buffer, email: string, codeHash: string, createdAt: Date]>(
  'sign_in_flows.insert',
  `insert into portal.flows (flow_hash, email, code_hash, created_at) values ($1, $2, $3, $4)`,
);

type Try = [flowHash: Buffer, email: string, codeHash: string, startedAfter: Date, mostTries: number];

/** Ends the flow if the code is right, or counts the try. Of simultaneous requests with the right code one gets it. */
export const tryCode = statement<Try, { is_right: boolean; tries: number }>(
  'sign_in_flows.try',
  `with found as (
     delete from portal.flows
     where flow_hash = $1 and email = $2 and code_hash = $3 and created_at > $4 and tries < $5
     returning true as is_right, tries
   ), missed as (
     update portal.flows set tries = tries + 1
     where flow_hash = $1 and email = $2 and code_hash <> $3 and created_at > $4 and tries < $5
     returning false as is_right, tries
   )
   select * from found union all select * from missed`,
);

export const deleteFlows = statement<[createdBefore: Date]>(
  'sign_in_flows.delete_before',
  'delete from portal.flows where created_at < $1',
);

/** Wrong codes without a pause after them. */
const FREE_FAILURES = 10;
const LONGEST_PAUSE_MINUTES = 1_440;
const pauseAfter = (failures: string) =>
  `case when ${failures} >= ${FREE_FAILURES}
     then $2::timestamptz + make_interval(mins => least(${LONGEST_PAUSE_MINUTES}, power(2, least(${failures} - ${FREE_FAILURES}, 20)))::integer)
   end`;

/**
 * Counts a wrong code before the code is tried, so that no number of simultaneous tries exceeds the cap. Returns no row
 * during a pause and after the last failure.
 */
export const reserveFailure = statement<[email: string, now: Date, mostFailures: number], { failures: number }>(
  'sign_in_failures.reserve',
  `insert into portal.failures as f (email, failures, last_failed_at) values ($1, 1, $2)
   on conflict (email) do update
     set failures = f.failures + 1, last_failed_at = $2, paused_until = ${pauseAfter('f.failures + 1')}
     where f.failures < $3 and (f.paused_until is null or f.paused_until <= $2)
   returning failures`,
);

/** Takes a counted failure back, because the code was right or the browser has no flow. */
export const releaseFailure = statement<[email: string]>(
  'sign_in_failures.release',
  'update portal.failures set failures = failures - 1, paused_until = null where email = $1',
);

export const selectFailures = statement<[email: string], { failures: number; paused_until: Date | null }>(
  'sign_in_failures.select',
  'select failures, paused_until from portal.failures where email = $1',
);

/** Addresses of people who never signed in are forgotten; those of others are counted for ever. */
export const deleteStrangersFailures = statement<[failedBefore: Date]>(
  'sign_in_failures.delete_strangers',
  `delete from portal.failures f
   where f.last_failed_at < $1 and not exists (select from portal.users u where u.email = f.email)`,
);

export const deleteFailures = statement<[email: string]>(
  'sign_in_failures.delete',
  `delete from portal.failures where email = ${foldAddress('$1')}`,
);

/** Returns a row if this browser has signed in with this address before. */
export const selectDevice = statement<[deviceHash: Buffer, email: string, mostFailures: number], { user_id: string }>(
  'devices.select',
  `select d.user_id from portal.devices d join portal.users u on u.id = d.user_id
   where d.device_hash = $1 and u.email = $2 and d.failures < $3`,
);

export const countDeviceFailure = statement<[deviceHash: Buffer, email: string]>(
  'devices.count_failure',
  `update portal.devices d set failures = d.failures + 1 from portal.users u
   where u.id = d.user_id and d.device_hash = $1 and u.email = $2`,
);

type Use = [deviceHash: Buffer, userId: string, now: Date];

/** Remembers a browser that has signed in. `is_surprising`: the person used other browsers until now. */
export const rememberDevice = statement<Use, { is_surprising: boolean }>(
  'devices.remember',
  `with used as (
     insert into portal.devices as d (device_hash, user_id, created_at, last_used_at) values ($1, $2, $3, $3)
     on conflict (user_id, device_hash) do update set last_used_at = $3, failures = 0
     returning d.xmax = 0 as is_new
   )
   select is_new and exists (
     select from portal.devices where user_id = $2 and device_hash <> $1
   ) as is_surprising from used`,
);

export const deleteUnusedDevices = statement<[usedBefore: Date]>(
  'devices.delete_unused',
  'delete from portal.devices where last_used_at < $1',
);

/** Ends the sign-ins that were begun with the address, which they store. */
export const deleteFlowsOf = statement<[email: string]>(
  'people.delete_flows_of',
  `delete from portal.flows where email = ${foldAddress('$1')}`,
);
