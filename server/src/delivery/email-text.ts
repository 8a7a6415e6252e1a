import { unlinkable } from '../messaging/plain-name.ts';
import type { MessageContent } from './compose-message.ts';

/** Renders a gift's email as plain text. */
export function emailText({ senderName, recipientName, amount, categoryName, link }: MessageContent): string {
  const sender = unlinkable(senderName);
  return `${recipientName === undefined ? 'Hello,' : `Dear ${unlinkable(recipientName)},`}

${sender} sent you a gift: ${amount} for ${unlinkable(categoryName)}.

Open it here, whenever you like:
${link}

Is this real?

Yes. It was sent with Bestow on behalf of ${sender} and is already paid for. Opening it is free. No one will ask you for a password, a payment or your card number.

The link leads to ${new URL(link).host}: check that your browser shows this name. If you did not expect a gift, contact ${sender} before you open it, in a way that you trust.

Anyone with this message can open the gift, so don’t forward it.
`;
}
