import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from '../messaging/channel.ts';
import { encodeNoticeReference } from '../messaging/reference.ts';
import { noticeHtml } from './letter-html.ts';
import { noticeText } from './letter-text.ts';
import { letterOf } from './letters.ts';
import type { NoticeRow } from './queries.ts';

export type ComposeNoticeDeps = Pick<Deps, 'config' | 'publicUrl' | 'seal'>;

const SENDER = 'Bestow';

/**
 * Renders a notice. The same row gives the same mail at every try, and in the outbox.
 *
 * @returns undefined where it holds a code that was sealed with a secret that is not there any more
 */
export function composeNotice(deps: ComposeNoticeDeps, row: NoticeRow): OutgoingMessage | undefined {
  const letter = letterOf(deps, row);
  if (letter === undefined) return undefined;
  return {
    reference: encodeNoticeReference({ organizationId: row.organization_id, noticeId: row.notice_id }),
    to: row.recipient,
    senderName: SENDER,
    fromName: SENDER,
    subject: letter.subject,
    html: noticeHtml(letter),
    text: noticeText(letter),
  };
}
