import { statement } from '../database/statement.ts';
import type { Notice } from './notice.ts';

type One = [organizationId: string, noticeId: string];

export type NoticeRow = Notice & {
  organization_id: string;
  notice_id: string;
  /** An email address. */
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

/** @param rows `{ notice_id, recipient }[]` as JSON */
export const insertNotices = statement<
  [organizationId: string, kind: Notice['kind'], details: string, rows: string, createdAt: Date]
>(
  'notices.insert',
  `insert into notices (organization_id, notice_id, kind, recipient, details, state, created_at)
   select $1, n.notice_id, $2, n.recipient, $3, 'pending', $5
   from jsonb_to_recordset($4::jsonb) as n (notice_id uuid, recipient text)`,
);

export const selectNotice = statement<One, NoticeRow>(
  'notices.select',
  `select ${columns} from notices where organization_id = $1 and notice_id = $2`,
);

/** The latest notices of all organizations, newest first, or only those that no provider accepted. */
export const selectLatestNotices = statement<[limit: number, failed: boolean], NoticeRow>(
  'notices.select_latest',
  `select ${columns} from notices
   where not $2::boolean or state = 'failed' or (state = 'pending' and tries > 0)
   order by notice_id desc limit $1`,
);

export const recordSent = statement<[...One, provider: string, providerId: string | null, now: Date]>(
  'notices.record_sent',
  `update notices
   set state = 'sent', tries = tries + 1, reason = null, provider = $3, provider_id = $4, sent_at = $5
   where organization_id = $1 and notice_id = $2 and state = 'pending'`,
);

/** Records a failed attempt that will be retried. */
export const recordTry = statement<[...One, reason: string]>(
  'notices.record_try',
  `update notices set tries = tries + 1, reason = $3
   where organization_id = $1 and notice_id = $2 and state = 'pending'`,
);

export const recordFailed = statement<[...One, reason: string, tries: number]>(
  'notices.record_failed',
  `update notices set state = 'failed', tries = tries + $4, reason = $3
   where organization_id = $1 and notice_id = $2 and state = 'pending'`,
);

/** Affects all organizations. */
export const deleteSignInCodes = statement<[createdBefore: Date]>(
  'notices.delete_sign_in_codes',
  `delete from notices where kind = 'sign_in_code' and created_at < $1`,
);
