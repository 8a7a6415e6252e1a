import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { monotonicNowMs, type Recorder } from '../record/recorder.ts';

/** An SMTP server in another process. It accepts everything, and the recorder gets each message. */
export interface MailServer {
  url: string;
  pid: number;
  /** Ends the server, which refuses connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../server/test/harness/smtp-sink.ts', import.meta.url));

/** @param messageTakesMs how long a message takes, so that a kill can interrupt it */
export async function startMailServer(recorder: Recorder, messageTakesMs: number): Promise<MailServer> {
  recorder.expectMessages('email', 'all');
  let running = await startProcess(recorder, messageTakesMs, 0);
  const { port } = running;
  return {
    url: `smtp://127.0.0.1:${port}`,
    pid: running.child.pid ?? 0,
    stop: () => end(running.child),
    async start() {
      running = await startProcess(recorder, messageTakesMs, port);
    },
    close: () => end(running.child),
  };
}

async function startProcess(recorder: Recorder, messageTakesMs: number, wanted: number) {
  const args = [PROGRAM, String(messageTakesMs), String(wanted)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [port] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => {
    const [messageId = '', recipient = ''] = line.split(' ');
    const reference = messageId.split('@', 1)[0];
    recorder.message({ channel: 'email', reference, recipient, atMs: monotonicNowMs() });
  });
  return { child, port: Number(port) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
