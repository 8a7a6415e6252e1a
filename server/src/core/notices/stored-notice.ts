import type { Deps } from '../deps.ts';
import { recordCodeAttempt, selectCode } from './code-queries.ts';
import { type Attempt, type NoticeRow, recordNoticeAttempt, selectNotice } from './queries.ts';

/** A notice of an organization; without one, the code of a person, who is in the database `home`. */
interface StoredNotice {
  organizationId?: string | undefined;
  noticeId: string;
}

export async function findStored(
  { read, home }: Pick<Deps['database'], 'read' | 'home'>,
  { organizationId, noticeId }: StoredNotice,
): Promise<NoticeRow | undefined> {
  const found =
    organizationId === undefined ? selectCode(home, [noticeId]) : selectNotice(read, [organizationId, noticeId]);
  return (await found)[0];
}

/** Records the outcome of an attempt, unless the notice was settled before. */
export async function recordAttempt(
  { read, home }: Pick<Deps['database'], 'read' | 'home'>,
  { organizationId, noticeId }: StoredNotice,
  attempt: Attempt,
): Promise<void> {
  if (organizationId === undefined) await recordCodeAttempt(home, [noticeId, ...attempt]);
  else await recordNoticeAttempt(read, [organizationId, noticeId, ...attempt]);
}
