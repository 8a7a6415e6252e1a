import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from '../messaging/channel.ts';
import { decodeNoticeReference } from '../messaging/reference.ts';
import { type ComposeNoticeDeps, composeNotice } from './compose-notice.ts';
import { type NoticeRow, selectLatestNotices, selectNotice } from './queries.ts';

/** A notice with its rendered mail. */
export interface PresentedNotice {
  message: OutgoingMessage;
  row: NoticeRow;
}

type FindDeps = ComposeNoticeDeps & { database: Pick<Deps['database'], 'read'> };

/** Lists the latest notices of all organizations, newest first, without codes that can no longer be read. */
export async function listNotices(deps: FindDeps, limit: number, failed: boolean): Promise<PresentedNotice[]> {
  return (await selectLatestNotices(deps.database.read, [limit, failed])).flatMap((row) => present(deps, row));
}

/** Returns the notice of a reference, or undefined if it does not exist or cannot be read. */
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
