/** A rendered message; identical for every attempt. */
export interface OutgoingMessage {
  /** Identifies the message in providers' webhook events; see `reference.ts`. */
  reference: string;
  /** One email address or one E.164 number. */
  to: string;
  senderName: string;
  /** The display name in an email's `From`. */
  fromName: string;
  subject: string;
  /** Undefined for a text message. */
  html: string | undefined;
  text: string;
  /** Of an email: where answers to it go, if not to the sender. */
  replyTo?: string;
  /** Of an email from a domain of the organization, which SMTP signs (DKIM). Bounces still go to the service. */
  signature?: { address: string; domain: string; selector: string; privateKey: string };
  /** Of an email: the page that ends such messages, for `List-Unsubscribe`. */
  stopLink?: string;
}

export type SendResult =
  | { outcome: 'accepted'; providerId: string | undefined }
  /** Refused permanently: the recipient does not exist, is blocked … */
  | { outcome: 'refused'; reason: string };

/** A way to send messages. The outbox sends nothing. */
export interface Channel {
  name: 'smtp' | 'twilio' | 'outbox';
  /**
   * Sends one message. Two attempts must be recognizable as the same message by its reference.
   *
   * @throws if a retry may succeed: the provider is unreachable, slow, or asks for a retry
   */
  send(message: OutgoingMessage): Promise<SendResult>;
  close(): Promise<void>;
}

/** Channels for gifts, and one for notices, which so never wait behind gifts. Messages wait while one is undefined. */
export type Channels = Record<'email' | 'phone' | 'notice', Channel | undefined>;
