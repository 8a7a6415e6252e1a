import type { Deps } from '../deps.ts';
import type { OutgoingMessage } from '../messaging/channel.ts';
import { encodeNoticeReference } from '../messaging/reference.ts';
import { noticeHtml } from './mail-html.ts';
import { noticeText } from './mail-plain-text.ts';
import { mailOf } from './mails.ts';
import type { NoticeRow } from './queries.ts';

export type ComposeNoticeDeps = Pick<Deps, 'config' | 'publicUrl' | 'seal'>;

const SENDER = 'Bestow';

/**
 * Renders a notice. The same row always gives the same mail.
 *
 * @returns undefined if the notice contains a code that was sealed with a removed secret
 */
export function composeNotice(deps: ComposeNoticeDeps, row: NoticeRow): OutgoingMessage | undefined {
  const mail = mailOf(deps, row);
  if (mail === undefined) return undefined;
  return {
    reference: encodeNoticeReference({ organizationId: row.organization_id, noticeId: row.notice_id }),
    to: row.recipient,
    senderName: SENDER,
    fromName: SENDER,
    subject: mail.subject,
    html: noticeHtml(mail),
    text: noticeText(mail),
  };
}
