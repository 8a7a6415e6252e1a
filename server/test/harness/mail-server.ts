import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { endWithTest } from './end-with-test.ts';
import { until } from './server-process.ts';
import type { TestService } from './test-service.ts';

/** What to do with a message: accept it, answer with a code, break the connection in its middle or at its end, or wait first. */
export type MailAnswer =
  | 'accept'
  | 'drop'
  | 'drop_at_end'
  | { code: number; text: string; at?: 'recipient' | 'content' }
  | { after: Promise<unknown> };

export interface ReceivedMail {
  from: string;
  /** The envelope's recipients, byte for byte. */
  to: string[];
  raw: string;
  email: Email;
  /** Without the angle brackets. */
  messageId: string;
}

/** A real SMTP server whose answers a test decides. */
export interface MailServer {
  url: string;
  /** Accepted messages, in order. */
  received: ReceivedMail[];
  /** Recipients of all messages, accepted or not. */
  tried: string[];
  /** Called once for each message. */
  answer(act: (recipient: string) => MailAnswer): void;
  acceptLogins(): void;
  close(): Promise<void>;
}

const smtpError = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code });

/** @param logins true to ask for a login; logins fail until `acceptLogins` is called */
export async function startMailServer(logins: 'none' | 'refused' = 'none'): Promise<MailServer> {
  let answerFor: (recipient: string) => MailAnswer = () => 'accept';
  const answers = new Map<string, MailAnswer>();
  let refusesLogins = logins === 'refused';
  const received: ReceivedMail[] = [];
  const tried: string[] = [];
  const server = new SMTPServer({
    disabledCommands: logins === 'none' ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    allowInsecureAuth: true,
    // A test waits for no connection that a client keeps open: half a minute by default.
    closeTimeout: 100,
    onAuth: (_login, _session, done) =>
      refusesLogins ? done(smtpError({ code: 535, text: '5.7.8 Wrong password' })) : done(null, { user: 'user' }),
    onRcptTo({ address }, session, done) {
      const answer = answerFor(address);
      answers.set(session.id, answer);
      if (typeof answer === 'object' && 'code' in answer && answer.at !== 'content') {
        tried.push(address);
        done(smtpError(answer));
      } else done();
    },
    async onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      tried.push(...to);
      const answer = answers.get(session.id) ?? 'accept';
      if (answer === 'drop' || answer === 'drop_at_end') {
        stream.once(answer === 'drop' ? 'data' : 'end', () => drop(server, session));
        stream.resume();
        return;
      }
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of stream) chunks.push(chunk);
      } catch (error) {
        // The client disconnected before the end of the message.
        return done(error as Error);
      }
      if (typeof answer === 'object' && 'code' in answer) return done(smtpError(answer));
      if (typeof answer === 'object') await answer.after;
      received.push(await parseMail(session, to, Buffer.concat(chunks).toString()));
      done();
    },
  });
  // Some tests disconnect clients.
  server.on('error', () => undefined);
  const port = await listen(server);
  return {
    url: `smtp://${logins === 'none' ? '' : 'user:wrong@'}127.0.0.1:${port}`,
    received,
    tried,
    answer(act) {
      answerFor = act;
    },
    acceptLogins() {
      refusesLogins = false;
    },
    close: endWithTest(() => new Promise<void>((resolve) => server.close(resolve))),
  };
}

async function parseMail(session: SMTPServerSession, to: string[], raw: string): Promise<ReceivedMail> {
  const { mailFrom } = session.envelope;
  const from = mailFrom === false ? '' : mailFrom.address;
  const email = await PostalMime.parse(raw);
  return { from, to, raw, email, messageId: (email.messageId ?? '').slice(1, -1) };
}

function drop(server: SMTPServer, session: SMTPServerSession): void {
  const connections = server.connections as unknown as Set<{ id: string; _socket: { destroy(): void } }>;
  for (const connection of connections) if (connection.id === session.id) connection._socket.destroy();
}

/** Listens on a free port; returns the port. */
async function listen(server: SMTPServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Runs the queues, one second of the test's clock at a time, until the condition is true. */
export async function workUntil(
  { clock }: Pick<TestService, 'clock'>,
  isTrue: () => boolean | Promise<boolean>,
  what: string,
) {
  await until(async () => {
    await clock.advance(1_000);
    return await isTrue();
  }, what);
}

/** Runs the queues a few more times, to show that nothing is sent. */
export async function workOn({ clock }: Pick<TestService, 'clock'>, seconds = 30): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await clock.advance(1_000);
    // A message that should not exist needs time to arrive.
    await sleep(10);
  }
}
