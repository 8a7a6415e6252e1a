import { statement } from '../../platform/database/statement.ts';
import { insertNoticeJobs } from '../../platform/jobs/insert-jobs.ts';
import { queues } from '../../platform/jobs/tasks.ts';
import type { Attempt, NoticeRow } from './queries.ts';

/** Adds a mail with a sign-in code, and its job. */
export const insertCode = statement<
  [codeId: string, recipient: string, details: string, createdAt: Date, traceparent: string | undefined, kind: string]
>(
  'codes.insert',
  `with code as (
     insert into portal.codes (code_id, recipient, details, state, created_at, kind)
     values ($1, $2, $3, 'pending', $4, $6)
     returning code_id
   )
   ${insertNoticeJobs(
     'select null::uuid as organization_id, code_id as notice_id, $5::text as traceparent from code',
     queues.code.name,
   )}`,
);

const columns = `null::uuid as organization_id, code_id as notice_id, kind, recipient, details, state,
  tries, reason, provider, provider_id, created_at, sent_at`;

export const selectCode = statement<[codeId: string], NoticeRow>(
  'codes.select',
  `select ${columns} from portal.codes where code_id = $1`,
);

/** The latest codes, newest first, or only those that no provider accepted. */
export const selectLatestCodes = statement<[limit: number, failed: boolean], NoticeRow>(
  'codes.select_latest',
  `select ${columns} from portal.codes
   where not $2::boolean or state = 'failed' or (state = 'pending' and tries > 0)
   order by code_id desc limit $1`,
);

export const recordCodeAttempt = statement<[codeId: string, ...Attempt]>(
  'codes.record_attempt',
  `update portal.codes
   set state = $2, tries = tries + $3, reason = $4, provider = $5, provider_id = $6, sent_at = $7
   where code_id = $1 and state = 'pending'`,
);

export const deleteCodes = statement<[createdBefore: Date]>(
  'codes.delete_before',
  'delete from portal.codes where created_at < $1',
);
