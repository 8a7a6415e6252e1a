import type { TwilioAnswer } from '../../../server/test/harness/twilio-server.ts';
import type { SmtpAct, SmtpStage, TlsDefect } from './smtp-conversation.ts';

export interface EmailStrike {
  /** `greeting` to `sender` hit a new connection, the others the message to one recipient. */
  stage: SmtpStage;
  act: SmtpAct;
}

export interface PhoneStrike {
  answer: TwilioAnswer;
  /** The provider sends the text message anyway. */
  keeps?: boolean;
}

interface Common {
  name: string;
  summary: string;
  /** The final state of a gift whose message is struck once. */
  outcome: 'sent' | 'failed';
}

/** Ways to strike messages; the injections take them in order. */
export type DeliveryFault =
  | (Common & { channel: 'email'; strikes: readonly EmailStrike[]; usesTls?: boolean })
  | (Common & { channel: 'phone'; strikes: readonly PhoneStrike[] });

const html = '<!doctype html><title>Welcome to the hotel</title><form>Accept our terms</form>';

/** 421 ends the conversation. */
const reply = (stage: SmtpStage, text: string): EmailStrike => ({
  stage,
  act: { reply: text, ...(text.startsWith('421') && { closes: true }) },
});
const silent = (stage: SmtpStage, keeps = false): EmailStrike => ({ stage, act: { silent: true, keeps } });
const cut = (stage: SmtpStage, keeps = false): EmailStrike => ({ stage, act: { cut: true, keeps } });
const tls = (defect: TlsDefect, stage: SmtpStage = 'starttls'): EmailStrike => ({ stage, act: { tls: defect } });

export const deliveryFaults: readonly DeliveryFault[] = [
  {
    name: 'smtp-421',
    summary: 'A mail server ends conversations with 421 at each stage: the message is sent later.',
    channel: 'email',
    outcome: 'sent',
    strikes: [
      reply('greeting', '421 4.3.2 Too many connections'),
      reply('sender', '421 4.3.2 Shutting down'),
      reply('recipient', '421 4.7.0 Try again later'),
      reply('data', '421 4.3.0 Timed out'),
      reply('content', '421 4.3.2 Shutting down'),
    ],
  },
  {
    name: 'smtp-450',
    summary: 'A mail server refuses for now, or refuses the account, which the operator can fix: sent later.',
    channel: 'email',
    outcome: 'sent',
    strikes: [
      reply('sender', '550 5.7.1 This sender may not send here'),
      reply('recipient', '450 4.2.0 Greylisted'),
      reply('content', '550 5.4.5 Daily limit exceeded'),
      reply('sender', '450 4.1.8 Cannot look up the sender now'),
      reply('data', '451 4.3.0 Local error'),
    ],
  },
  {
    name: 'smtp-550',
    summary: 'A mail server refuses for good: the gift fails, and nothing is sent again.',
    channel: 'email',
    outcome: 'failed',
    strikes: [reply('recipient', '550 5.1.1 No such user'), reply('content', '550 5.2.1 Mailbox disabled')],
  },
  {
    name: 'smtp-hang',
    summary: 'A mail server stops answering, with the message or without: it is sent again; others do not wait.',
    channel: 'email',
    outcome: 'sent',
    strikes: [silent('content', true), silent('recipient'), silent('content'), silent('data'), silent('greeting')],
  },
  {
    name: 'smtp-cut',
    summary: 'The connection is lost after the final dot: the message is sent again with the same identity.',
    channel: 'email',
    outcome: 'sent',
    strikes: [cut('content', true), cut('content')],
  },
  {
    name: 'smtp-bad-tls',
    summary: 'The TLS of a mail server is untrusted, broken or missing: nothing is sent until it is fixed.',
    channel: 'email',
    outcome: 'sent',
    usesTls: true,
    strikes: [tls('unknown signer'), tls('other name'), tls('noise'), cut('starttls'), tls('not offered', 'hello')],
  },
  {
    name: 'sms-429',
    summary: 'A provider of text messages answers 429: the message is sent later.',
    channel: 'phone',
    outcome: 'sent',
    strikes: [
      { answer: { status: 429, code: 20429, message: 'Too Many Requests' } },
      { answer: { status: 429, text: 'slow down' } },
    ],
  },
  {
    name: 'sms-500',
    summary: 'A provider of text messages fails: the message is sent later.',
    channel: 'phone',
    outcome: 'sent',
    strikes: [
      { answer: { status: 500, code: 20500, message: 'Internal Server Error' } },
      { answer: { status: 502, text: html } },
      { answer: { status: 503, message: 'Service Unavailable' } },
    ],
  },
  {
    name: 'sms-time-out',
    summary: 'A provider of text messages does not answer or hangs up, with the message or without.',
    channel: 'phone',
    outcome: 'sent',
    strikes: [
      { answer: 'never', keeps: true },
      { answer: 'never' },
      { answer: 'hang up', keeps: true },
      { answer: 'hang up' },
    ],
  },
  {
    name: 'sms-garbage',
    summary: 'Something answers 200 or 201 with nonsense instead of the provider: the message counts as not sent.',
    channel: 'phone',
    outcome: 'sent',
    strikes: [html, '"ok"', '', '{"status":"ok","sid":null}']
      .map((text): PhoneStrike => ({ answer: { status: 200, text } }))
      .concat(['{}', '{"sid": "SM0123', '[]', 'null'].map((text) => ({ answer: { status: 201, text } }))),
  },
];
