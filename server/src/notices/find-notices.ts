import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from '../messaging/channel.ts';
import { decodeNoticeReference } from '../messaging/reference.ts';
import { type ComposeNoticeDeps, composeNotice } from './compose-notice.ts';
import { type NoticeRow, selectLatestNotices, selectNotice } from './queries.ts';

/** A notice as it goes out, or would, and what became of it. */
export interface PresentedNotice {
  message: OutgoingMessage;
  row: NoticeRow;
}

type FindDeps = ComposeNoticeDeps & { database: Pick<Deps['database'], 'read'> };

/** The latest notices of all organizations, newest first, but for codes that cannot be read any more. */
export async function listNotices(deps: FindDeps, limit: number, failed: boolean): Promise<PresentedNotice[]> {
  return (await selectLatestNotices(deps.database.read, [limit, failed])).flatMap((row) => present(deps, row));
}

/** The notice of a reference, or undefined where there is none that can be read. */
export async function findNotice(deps: FindDeps, reference: string): Promise<PresentedNotice | undefined> {
  const one = decodeNoticeReference(reference);
  if (one === undefined) return undefined;
  const rows = await selectNotice(deps.database.read, [one.organizationId, one.noticeId]);
  return rows.flatMap((row) => present(deps, row))[0];
}

function present(deps: FindDeps, row: NoticeRow): PresentedNotice[] {
  const message = composeNotice(deps, row);
  return message === undefined ? [] : [{ message, row }];
}
