import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { createCertificate } from '../../../server/test/harness/certificate.ts';

interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** What a mail server on `localhost` can present; only `own` is right. */
export interface Certificates {
  own: KeyAndCertificate;
  unknown: KeyAndCertificate;
  other: KeyAndCertificate;
  /** What the client should trust, as PEM. */
  trusted: string[];
}

export function createCertificates(): Certificates {
  const create = (name: string): KeyAndCertificate => {
    const { privateKey, pem } = createCertificate(name);
    return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem };
  };
  const [own, unknown, other] = [create('localhost'), create('localhost'), create('elsewhere.example')];
  return { own, unknown, other, trusted: [own.cert, other.cert] };
}

/** The greeting, or the stage after `EHLO`, `STARTTLS`, `MAIL`, `RCPT`, `DATA` or the final dot. */
export type SmtpStage = 'greeting' | 'hello' | 'starttls' | 'sender' | 'recipient' | 'data' | 'content';

export type TlsDefect = 'unknown signer' | 'other name' | 'noise' | 'not offered';

/** What the server does instead of going on. `keeps`: it has accepted the message all the same. */
export type SmtpAct =
  | { reply: string; closes?: boolean }
  | { silent: true; keeps?: boolean }
  | { cut: true; keeps?: boolean }
  | { tls: TlsDefect };

export interface AcceptedEmail {
  recipient: string;
  /** The part before the @ of its `Message-ID`. */
  reference: string;
  isEncrypted: boolean;
  /** False if the sender does not know that it was accepted. */
  isAnswered: boolean;
}

export interface ConversationHost {
  /** Whether PIPELINING is offered (RFC 2920). */
  pipelines: boolean;
  /** If given, STARTTLS is offered. */
  certificates: Certificates | undefined;
  /** Asked at each stage; the recipient is known from `recipient` on. */
  strike(stage: SmtpStage, recipient: string | undefined): SmtpAct | undefined;
  accept(email: AcceptedEmail): void;
  /** The server stops answering and keeps the connection open. */
  silenced(): void;
}

const NOISE = Buffer.alloc(512, 'noise, not TLS ');
const STAGE_OF: Record<string, SmtpStage> = {
  EHLO: 'hello',
  STAR: 'starttls',
  MAIL: 'sender',
  RCPT: 'recipient',
  DATA: 'data',
};

/** Speaks SMTP with one client line by line, so that a fault can strike at every stage. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one conversation, whose stages share its state
export function converse(plain: Socket, { pipelines, certificates, strike, accept, silenced }: ConversationHost): void {
  let socket = plain;
  let recipient = '';
  let buffered = '';
  let isContent = false;
  let isOver = false;
  let offersTls = certificates !== undefined;
  // A refusal also refuses the commands after it in the same packet, as in Postfix.
  let isRefused = false;

  const say = (text: string) => void socket.write(`${text}\r\n`);

  function keep(content: string, isAnswered: boolean): void {
    const [, reference = ''] = /^message-id:\s*<([^@>]+)@/im.exec(content) ?? [];
    accept({ recipient, reference, isEncrypted: socket !== plain, isAnswered });
  }

  /** Returns whether the conversation stops here. */
  function isStruck(stage: SmtpStage, content = ''): boolean {
    const act = strike(stage, recipient === '' ? undefined : recipient);
    if (act === undefined) return false;
    if ('tls' in act) {
      if (act.tls === 'not offered') offersTls = false;
      else secure(act.tls);
      return act.tls !== 'not offered';
    }
    if ('reply' in act) {
      say(act.reply);
      isRefused = true;
      isOver = act.closes === true;
      if (isOver) socket.end();
      return true;
    }
    if (act.keeps === true) keep(content, false);
    isOver = true;
    if ('cut' in act) plain.destroy();
    else silenced();
    return true;
  }

  function secure(defect?: TlsDefect): void {
    say('220 2.0.0 Ready');
    plain.removeAllListeners('data');
    if (defect === 'noise' || certificates === undefined) return void plain.write(NOISE);
    const { unknown, other, own } = certificates;
    const shown = defect === 'unknown signer' ? unknown : defect === 'other name' ? other : own;
    socket = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext(shown) });
    socket.on('error', () => plain.destroy()).on('data', read);
  }

  function greet(): void {
    const offers = [...(pipelines ? ['PIPELINING'] : []), ...(socket === plain && offersTls ? ['STARTTLS'] : [])];
    const lines = ['bestow.example', ...offers];
    for (const [n, line] of lines.entries()) say(`250${n === lines.length - 1 ? ' ' : '-'}${line}`);
  }

  function answerTo(line: string): void {
    const command = line.slice(0, 4).toUpperCase();
    if (isRefused && ['RCPT', 'DATA'].includes(command)) {
      say('503 5.5.1 The command before was refused');
      return;
    }
    isRefused = false;
    if (command === 'RCPT') {
      recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
    }
    const stage = STAGE_OF[command];
    if (stage !== undefined && isStruck(stage)) return;
    if (command === 'EHLO') greet();
    else if (command === 'STAR') secure();
    else if (command === 'DATA') {
      isContent = true;
      say('354 Go on');
    } else if (command === 'QUIT') {
      say('221 2.0.0 Bye');
      socket.end();
    } else say('250 2.0.0 Ok');
  }

  function take(content: string): void {
    if (!isStruck('content', content)) {
      keep(content, true);
      say('250 2.0.0 Ok: queued');
    }
    recipient = '';
  }

  function read(data: Buffer): void {
    buffered += data.toString('latin1');
    while (!isOver) {
      const mark = isContent ? '\r\n.\r\n' : '\r\n';
      const end = buffered.indexOf(mark);
      if (end < 0) return;
      const text = buffered.slice(0, end);
      buffered = buffered.slice(end + mark.length);
      if (isContent) {
        isContent = false;
        take(text);
      } else answerTo(text);
    }
  }

  plain.on('error', () => plain.destroy()).on('data', read);
  if (!isStruck('greeting')) say('220 bestow.example ESMTP');
}
