import { englishWords } from '../../platform/languages/words.ts';
import type { OutgoingMessage } from '../../platform/messaging/channel.ts';
import { encodeNoticeReference } from '../../platform/messaging/reference.ts';
import type { Deps } from '../deps.ts';
import { codeText } from './code-mail.ts';
import type { Mail } from './mail.ts';
import { noticeHtml } from './mail-html.ts';
import { noticeText } from './mail-plain-text.ts';
import { mailOf } from './mails.ts';
import type { Notice } from './notice.ts';
import type { NoticeRow } from './queries.ts';

export type ComposeNoticeDeps = Pick<Deps, 'config' | 'publicUrl' | 'cipher'>;

const SENDER = 'Bestow';

/** Whether the notice is a text message, not a mail. */
export const isText = (notice: Notice) =>
  (notice.kind === 'card_code' || notice.kind === 'finder_code' || notice.kind === 'card_reopened') &&
  notice.details.channel === 'phone';

function textOf({ kind }: NoticeRow, { words = englishWords, code = '' }: Mail): string {
  if (kind === 'card_reopened') return words.say('sms.cardReopened');
  return codeText(words, code, kind === 'finder_code' ? 'finderCode' : 'cardCode');
}

/**
 * Renders a notice. The same row always gives the same mail.
 *
 * @returns undefined if the notice contains a code that was encrypted with a removed secret
 */
export function composeNotice(deps: ComposeNoticeDeps, row: NoticeRow): OutgoingMessage | undefined {
  const mail = mailOf(deps, row);
  if (mail === undefined) return undefined;
  const message = isText(row)
    ? {
        subject: '',
        html: undefined,
        text: textOf(row, mail),
      }
    : { subject: mail.subject, html: noticeHtml(mail), text: noticeText(mail) };
  return {
    reference: encodeNoticeReference({ organizationId: row.organization_id ?? undefined, noticeId: row.notice_id }),
    to: row.recipient,
    senderName: SENDER,
    fromName: SENDER,
    ...message,
  };
}
