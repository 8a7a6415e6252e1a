/** A message as it goes out: rendered, and the same at every try. */
export interface OutgoingMessage {
  /** Names the message wherever a provider tells of it later; see `reference.ts`. */
  reference: string;
  /** An email address or an E.164 number: exactly one recipient. */
  to: string;
  /** In whose name it is. */
  senderName: string;
  /** What a mail program shows as whom it is from. */
  fromName: string;
  subject: string;
  /** Of an email; a text message has text only. */
  html: string | undefined;
  text: string;
}

export type SendResult =
  | { outcome: 'accepted'; providerId: string | undefined }
  /** Refused for good: the recipient does not exist, is blocked … */
  | { outcome: 'refused'; reason: string };

/** A way to send messages: SMTP, a provider of text messages, or the outbox, which sends nothing. */
export interface Channel {
  name: 'smtp' | 'twilio' | 'outbox';
  /**
   * Sends one message. Sending it again under the same reference must be recognizable as the same message.
   *
   * @throws where trying again later may help: the provider is out of reach, slow, or says so
   */
  send(message: OutgoingMessage): Promise<SendResult>;
  close(): Promise<void>;
}

/**
 * The channel of the gifts' emails and text messages, and one for the mails to an organization's people, which do not wait
 * behind them. Undefined: messages wait until there is one.
 */
export type Channels = Record<'email' | 'phone' | 'notice', Channel | undefined>;
