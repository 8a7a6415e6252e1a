import { sortById } from '../../platform/database/sort-by-id.ts';
import type { OutgoingMessage } from '../../platform/messaging/channel.ts';
import { decodeNoticeReference } from '../../platform/messaging/reference.ts';
import type { Deps } from '../deps.ts';
import { selectLatestCodes } from './code-queries.ts';
import { type ComposeNoticeDeps, composeNotice } from './compose-notice.ts';
import { type NoticeRow, selectLatestNotices } from './queries.ts';
import { findStored } from './stored-notice.ts';

/** A notice with its rendered mail. */
export interface PresentedNotice {
  message: OutgoingMessage;
  row: NoticeRow;
}

type FindDeps = ComposeNoticeDeps & { database: Pick<Deps['database'], 'read' | 'shards' | 'home'> };

/** Lists the latest notices of all organizations and people, newest first, without codes that can no longer be read. */
export async function listNotices(deps: FindDeps, limit: number, failed: boolean): Promise<PresentedNotice[]> {
  const { home, shards } = deps.database;
  const [codes, notices] = await Promise.all([
    selectLatestCodes(home, [limit, failed]),
    selectLatestNotices(shards, [limit, failed]),
  ]);
  const latest = sortById([...codes, ...notices], 'notice_id')
    .slice(-limit)
    .reverse();
  return latest.flatMap((row) => present(deps, row));
}

/** Returns the notice of a reference, or undefined if it does not exist or cannot be read. */
export async function findNotice(deps: FindDeps, reference: string): Promise<PresentedNotice | undefined> {
  const one = decodeNoticeReference(reference);
  if (one === undefined) return undefined;
  const row = await findStored(deps.database, one);
  return row && present(deps, row)[0];
}

function present(deps: FindDeps, row: NoticeRow): PresentedNotice[] {
  const message = composeNotice(deps, row);
  return message === undefined ? [] : [{ message, row }];
}
