import { foldAddress } from '../../platform/database/folding.ts';
import { statement, statementOnEachShard } from '../../platform/database/statement.ts';
import { insertNoticeJobs } from '../../platform/jobs/insert-jobs.ts';
import type { Notice } from './notice.ts';

type One = [organizationId: string, noticeId: string];

export type NoticeRow = Notice & {
  /** Null for a sign-in code. */
  organization_id: string | null;
  notice_id: string;
  /** An email address; a phone number for some codes of cards. */
  recipient: string;
  state: 'pending' | 'sent' | 'failed';
  tries: number;
  reason: string | null;
  provider: string | null;
  provider_id: string | null;
  created_at: Date;
  sent_at: Date | null;
};

const columns = `organization_id, notice_id, kind, recipient, details, state, tries, reason, provider, provider_id,
  created_at, sent_at`;

/**
 * Adds notices and their jobs.
 *
 * @param rows `{ notice_id, recipient }[]` as JSON
 */
export const insertNotices = statement<
  [
    organizationId: string,
    kind: Notice['kind'],
    details: string,
    rows: string,
    createdAt: Date,
    traceparent: string | undefined,
  ]
>(
  'notices.insert',
  `with notice as (
     insert into notices (organization_id, notice_id, kind, recipient, details, state, created_at)
     select o.organization_id, n.notice_id, $2, n.recipient, $3, 'pending', $5
     from organizations o, jsonb_to_recordset($4::jsonb) as n (notice_id uuid, recipient text)
     where o.organization_id = $1
     returning organization_id, notice_id
   )
   ${insertNoticeJobs('select organization_id, notice_id, $6::text as traceparent from notice')}`,
);

export const selectNotice = statement<One, NoticeRow>(
  'notices.select',
  `select ${columns} from notices where organization_id = $1 and notice_id = $2`,
);

/** The latest notices of all organizations, newest first, or only those that no provider accepted. */
export const selectLatestNotices = statementOnEachShard<[limit: number, failed: boolean], NoticeRow>(
  'notices.select_latest',
  'the operator’s outbox shows every organization',
  `select ${columns} from notices
   where not $2::boolean or state = 'failed' or (state = 'pending' and tries > 0)
   order by notice_id desc limit $1`,
);

/** `pending`: it will be retried. `tries`: 0 if nothing was sent. */
export type Attempt = [
  state: NoticeRow['state'],
  tries: 0 | 1,
  reason: string | null,
  ...accepted: [provider: string | null, providerId: string | null, sentAt: Date | null],
];

export const recordNoticeAttempt = statement<[...One, ...Attempt]>(
  'notices.record_attempt',
  `update notices
   set state = $3, tries = tries + $4, reason = $5, provider = $6, provider_id = $7, sent_at = $8
   where organization_id = $1 and notice_id = $2 and state = 'pending'`,
);

export const deleteNoticesTo = statement<[organizationId: string, recipient: string]>(
  'notices.delete_to',
  `delete from notices where organization_id = $1 and ${foldAddress('recipient')} = ${foldAddress('$2')}`,
);

export const deleteCodeNotices = statementOnEachShard<[createdBefore: Date]>(
  'notices.delete_codes',
  'codes of every organization are deleted after a day',
  `delete from notices
   where kind = 'sign_in_code' and created_at < $1 or kind = 'card_code' and created_at < $1
     or kind = 'card_reopened' and created_at < $1`,
);
