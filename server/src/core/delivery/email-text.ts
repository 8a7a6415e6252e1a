import { englishWords } from '../../platform/languages/words.ts';
import { unlinkable } from '../../platform/messaging/plain-name.ts';
import type { MessageContent } from './message-content.ts';

/** Marks each line, so that the sender's words cannot look like the service's. */
const quoted = (note: string) =>
  note
    .split('\n')
    .map((line) => `> ${unlinkable(line)}`.trimEnd())
    .join('\n');

/** What was sent by whom, as one sentence. */
function sentence({ senderName, organizationName, value, words = englishWords }: MessageContent): string {
  const { say } = words;
  const sender = unlinkable(senderName);
  const worth = value && { amount: value.amount, category: unlinkable(value.categoryName) };
  if (organizationName === undefined)
    return worth === undefined ? say('text.sent', { sender }) : say('text.sentWorth', { sender, ...worth });
  const through = { sender, organization: unlinkable(organizationName) };
  return worth === undefined ? say('text.through', through) : say('text.throughWorth', { ...through, ...worth });
}

/** Renders a gift's email as plain text. */
export function emailText(content: MessageContent): string {
  const { words = englishWords, senderName, recipientName, organizationName, note, lastDay, link, stopLink } = content;
  const { join, say } = words;
  const sender = unlinkable(senderName);
  const sent = sentence(content);
  const real =
    organizationName === undefined
      ? say('real.yes', { sender })
      : say('real.yesFor', { organization: unlinkable(organizationName), sender });
  return `${recipientName === undefined ? say('text.hello') : say('text.dear', { recipient: unlinkable(recipientName) })}

${stopLink === undefined ? sent : join(say('text.waiting'), sent)}${note === undefined ? '' : `\n\n${quoted(note)}`}

${lastDay === undefined ? say('text.open') : say('text.openBy', { day: lastDay })}
${link}

${say('real.title')}

${join(real, say('real.free'))}

${say('real.link', { host: new URL(link).host, sender })}

${say('real.forward')}

${content.disclosure}
${stopLink === undefined ? '' : `\n${say('mail.stopHere')}\n${stopLink}\n`}${content.footer === undefined ? '' : `\n${unlinkable(content.footer)}\n`}`;
}
