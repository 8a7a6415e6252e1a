// A real SMTP server as a process: `node smtp-sink.ts [milliseconds for each message] [port]`. It prints its port,
// then the Message-ID and the recipient of each accepted message, one to a line.
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const delayMs = Number(process.argv[2] ?? 0);

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  async onData(stream, session, done) {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of stream) chunks.push(chunk);
    } catch (error) {
      // A worker was killed in the middle of the message.
      return done(error as Error);
    }
    if (delayMs > 0) await sleep(delayMs);
    const [, id] = /^message-id:\s+<([^>]+)>/im.exec(Buffer.concat(chunks).toString('latin1')) ?? [];
    process.stdout.write(`${id} ${session.envelope.rcptTo.map(({ address }) => address).join(',')}\n`);
    done();
  },
});
// A killed worker leaves its connections broken.
server.on('error', () => undefined);
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
