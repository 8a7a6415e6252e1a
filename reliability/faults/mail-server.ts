import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { monotonicNowMs, type Recorder } from '../record/recorder.ts';

/** An SMTP server in another process. It accepts everything, and the recorder gets each message. */
export interface MailServer {
  url: string;
  pid: number;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../server/test/harness/smtp-sink.ts', import.meta.url));

/** @param messageTakesMs how long a message takes, so that a kill can interrupt it */
export async function startMailServer(recorder: Recorder, messageTakesMs: number): Promise<MailServer> {
  const child = spawn(process.execPath, [PROGRAM, String(messageTakesMs)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [port] = (await once(lines, 'line')) as [string];
  recorder.expectMessages('email', 'all');
  lines.on('line', (line) => {
    const [messageId = '', recipient = ''] = line.split(' ');
    const reference = messageId.split('@', 1)[0];
    recorder.message({ channel: 'email', reference, recipient, atMs: monotonicNowMs() });
  });
  const ended = once(child, 'exit');
  return {
    url: `smtp://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
