import { once } from 'node:events';
import { connect } from 'node:net';

export interface Answer {
  status: number;
  body: string;
}

export interface Connection {
  /** Sends one HTTP/1.1 request at a time. */
  send(request: string): Promise<Answer>;
  close(): void;
}

/**
 * One keep-alive connection that reads only status and body of answers with a Content-Length. `fetch` would use more
 * processor time than the measured service.
 */
export async function openConnection(url: URL): Promise<Connection> {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = '';
  let waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  function takeAnswer(): Answer | undefined {
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (received.length < end) return undefined;
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(headEnd + 4, end) };
    received = received.slice(end);
    return answer;
  }

  // One character per byte, so that lengths match.
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    const answer = takeAnswer();
    if (answer === undefined) return;
    const { resolve } = waiting ?? {};
    waiting = undefined;
    resolve?.(answer);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => waiting?.reject(new Error('The connection was closed.')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.closed) return reject(new Error('The connection was closed.'));
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
