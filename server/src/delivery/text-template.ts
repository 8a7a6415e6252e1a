import type { MessageContent } from './compose-message.ts';

/** A text message: who sent a gift, and the link. */
export const textMessage = ({ senderName, link }: MessageContent) => `${senderName} sent you a gift. Open it: ${link}`;
