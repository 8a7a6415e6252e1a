import type { TwilioAnswer } from '../../../server/test/harness/twilio-server.ts';
import type { SmtpAct, SmtpStage } from './smtp-conversation.ts';

export interface EmailStrike {
  /** The first three are a new connection's; the others are of the message of one recipient. */
  stage: SmtpStage;
  act: SmtpAct;
}

export interface PhoneStrike {
  answer: TwilioAnswer;
  /** The text message goes out all the same. */
  keeps?: boolean;
}

interface Common {
  name: string;
  summary: string;
  /** What becomes of the gifts that are struck once. */
  becomes: 'sent' | 'failed';
}

/** How messages are struck; the injections take the strikes in turn. */
export type DeliveryFault =
  | (Common & { channel: 'email'; strikes: readonly EmailStrike[]; usesTls?: boolean })
  | (Common & { channel: 'phone'; strikes: readonly PhoneStrike[] });

const html = '<!doctype html><title>Welcome to the hotel</title><form>Accept our terms</form>';

export const deliveryFaults: readonly DeliveryFault[] = [
  {
    name: 'smtp-421',
    summary: 'A mail server that ends conversations with 421, at each of their stages: the message is sent later.',
    channel: 'email',
    becomes: 'sent',
    strikes: [
      { stage: 'greeting', act: { reply: '421 4.3.2 Too many connections', closes: true } },
      { stage: 'sender', act: { reply: '421 4.3.2 Shutting down', closes: true } },
      { stage: 'recipient', act: { reply: '421 4.7.0 Try again later', closes: true } },
      { stage: 'data', act: { reply: '421 4.3.0 Timed out', closes: true } },
      { stage: 'content', act: { reply: '421 4.3.2 Shutting down', closes: true } },
    ],
  },
  {
    name: 'smtp-450',
    summary:
      'A mail server that refuses for now, with 450 and its like, or the sender, which the operator can mend: it is sent later.',
    channel: 'email',
    becomes: 'sent',
    strikes: [
      { stage: 'sender', act: { reply: '550 5.7.1 This sender may not send here' } },
      { stage: 'recipient', act: { reply: '450 4.2.0 Greylisted' } },
      { stage: 'content', act: { reply: '450 4.3.1 Mailbox busy' } },
      { stage: 'sender', act: { reply: '450 4.1.8 Cannot look up the sender now' } },
      { stage: 'data', act: { reply: '451 4.3.0 Local error' } },
    ],
  },
  {
    name: 'smtp-550',
    summary:
      'A mail server that refuses for good, with 550 and its like: the gift has failed, and nothing is sent again.',
    channel: 'email',
    becomes: 'failed',
    strikes: [
      { stage: 'recipient', act: { reply: '550 5.1.1 No such user' } },
      { stage: 'content', act: { reply: '550 5.7.1 Not wanted here' } },
    ],
  },
  {
    name: 'smtp-hang',
    summary: 'A mail server that falls silent, having taken the message or not: it is sent again, and no other waits.',
    channel: 'email',
    becomes: 'sent',
    strikes: [
      { stage: 'content', act: { silent: true, keeps: true } },
      { stage: 'recipient', act: { silent: true } },
      { stage: 'content', act: { silent: true } },
      { stage: 'data', act: { silent: true } },
      { stage: 'greeting', act: { silent: true } },
    ],
  },
  {
    name: 'smtp-cut',
    summary:
      'A connection cut after the final dot, the message taken or lost: it is sent again under the same identity.',
    channel: 'email',
    becomes: 'sent',
    strikes: [
      { stage: 'content', act: { cut: true, keeps: true } },
      { stage: 'content', act: { cut: true } },
    ],
  },
  {
    name: 'smtp-bad-tls',
    summary:
      'A mail server whose TLS is not to be trusted, broken or gone: nothing is sent by it, and all of it later.',
    channel: 'email',
    becomes: 'sent',
    usesTls: true,
    strikes: [
      { stage: 'starttls', act: { tls: 'unknown signer' } },
      { stage: 'starttls', act: { tls: 'other name' } },
      { stage: 'starttls', act: { tls: 'noise' } },
      { stage: 'starttls', act: { cut: true } },
      { stage: 'hello', act: { tls: 'not offered' } },
    ],
  },
  {
    name: 'sms-429',
    summary: 'A provider of text messages that answers 429: the message is sent later.',
    channel: 'phone',
    becomes: 'sent',
    strikes: [
      { answer: { status: 429, code: 20429, message: 'Too Many Requests' } },
      { answer: { status: 429, text: 'slow down' } },
    ],
  },
  {
    name: 'sms-500',
    summary: 'A provider of text messages with errors of its own: the message is sent later.',
    channel: 'phone',
    becomes: 'sent',
    strikes: [
      { answer: { status: 500, code: 20500, message: 'Internal Server Error' } },
      { answer: { status: 502, text: html } },
      { answer: { status: 503, message: 'Service Unavailable' } },
    ],
  },
  {
    name: 'sms-time-out',
    summary: 'A provider of text messages that does not answer, or hangs up, having taken the message or not.',
    channel: 'phone',
    becomes: 'sent',
    strikes: [
      { answer: 'never', keeps: true },
      { answer: 'never' },
      { answer: 'hang up', keeps: true },
      { answer: 'hang up' },
    ],
  },
  {
    name: 'sms-garbage',
    summary: 'Something in the provider’s place that answers 200 or 201 with nonsense: the message counts as not sent.',
    channel: 'phone',
    becomes: 'sent',
    strikes: [
      { answer: { status: 200, text: html } },
      { answer: { status: 201, text: '{}' } },
      { answer: { status: 201, text: '{"sid": "SM0123' } },
      { answer: { status: 200, text: '"ok"' } },
      { answer: { status: 201, text: '[]' } },
      { answer: { status: 200, text: '' } },
      { answer: { status: 201, text: 'null' } },
      { answer: { status: 200, text: '{"status":"ok","sid":null}' } },
    ],
  },
];
