// A mail server for submission, on port 587 with TLS and a password: `node submission-server.ts CERTIFICATE KEY FILE PASSWORD`.
// Writes each message to the file, without its line breaks of transport.
import { appendFileSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

const [certificate = '', key = '', file = '', rightPassword = ''] = process.argv.slice(2);

const server = new SMTPServer({
  cert: readFileSync(certificate),
  key: readFileSync(key),
  onAuth({ username, password }, session, done) {
    const isRight = username === 'USER' && password === rightPassword && session.secure;
    done(isRight ? null : new Error('Wrong password'), { user: username });
  },
  async onData(stream, session, done) {
    const message = (await text(stream)).replaceAll('=\r\n', '');
    const to = session.envelope.rcptTo.map(({ address }) => address).join();
    appendFileSync(file, `To ${to}\n${message}\n`);
    done();
  },
});
server.on('error', () => undefined);
server.listen(587, '127.0.0.1');
