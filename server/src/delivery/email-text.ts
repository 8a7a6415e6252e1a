import { unlinkable } from '../messaging/plain-name.ts';
import type { MessageContent } from './compose-message.ts';

/** The letter for whoever reads mail as text: the same words, and the link. */
export function emailText({ senderName, recipientName, amount, categoryName, link }: MessageContent): string {
  const sender = unlinkable(senderName);
  return `${recipientName === undefined ? 'Hello,' : `Dear ${unlinkable(recipientName)},`}

${sender} sent you a gift: ${amount} for ${unlinkable(categoryName)}.

Open it here, whenever you like:
${link}

Is this real?

Yes. It was bought with Bestow in the name of ${sender}, and it is paid for. Opening it is free. Nobody will ask you for a password, a payment or the number of a card of yours.

The link leads to ${new URL(link).host}: see that your browser shows this name. If you did not expect a gift, ask ${sender} before you open it, in a way that you know.

Whoever has this message can open the gift, so keep it to yourself.
`;
}
