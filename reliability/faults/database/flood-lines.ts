import { connect, type Socket } from 'node:net';

/** What became of a request: its status, or `closed`, or why there was no connection; and the answer as it came. */
export interface Outcome {
  name: string;
  head: string;
}

interface Line {
  socket: Socket;
  received: string;
  isOpen: boolean;
  take: ((outcome: Outcome) => void) | undefined;
}

const READ_BYTES = 65_536;

/**
 * Keep-alive connections that do no more than they must, opened when they are needed: one that the service closes, or that
 * it does not take, is replaced by another.
 */
export function createLines(url: URL, most: number) {
  const [port, host] = [Number(url.port), url.hostname];
  // In turns: one that sends nothing for long is closed by the service.
  let free: Line[] = [];
  let next = 0;
  let open = 0;
  let opened = 0;
  let mostOpen = 0;
  // What is read is looked at before the next read.
  const buffer = Buffer.alloc(READ_BYTES);

  function openLine(): Line {
    open += 1;
    opened += 1;
    mostOpen = Math.max(mostOpen, open);
    const socket = connect({
      port,
      host,
      onread: {
        buffer,
        callback(length) {
          read(line, buffer.toString('latin1', 0, length));
          return true;
        },
      },
    });
    const line: Line = { socket, received: '', isOpen: true, take: undefined };
    let reason = 'closed';
    socket.setNoDelay(true);
    socket.on('error', (error: Error & { code?: string }) => {
      reason = error.code ?? reason;
    });
    socket.on('end', () => {
      line.isOpen = false;
    });
    socket.on('close', () => {
      line.isOpen = false;
      open -= 1;
      settle(line, { name: reason, head: '' });
    });
    return line;
  }

  function read(line: Line, text: string): void {
    const received = line.received === '' ? text : line.received + text;
    const headEnd = received.indexOf('\r\n\r\n');
    const length = headEnd === -1 ? undefined : /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
    if (length === undefined || received.length < headEnd + 4 + Number(length)) {
      line.received = received;
      return;
    }
    line.received = '';
    settle(line, { name: received.slice(9, 12), head: received });
  }

  function settle(line: Line, outcome: Outcome): void {
    const { take } = line;
    line.take = undefined;
    if (line.isOpen) free.push(line);
    take?.(outcome);
  }

  function takeFree(): Line | undefined {
    while (next < free.length) {
      const line = free[next];
      next += 1;
      if (next > READ_BYTES) {
        free = free.slice(next);
        next = 0;
      }
      if (line?.isOpen) return line;
    }
    return undefined;
  }

  function begin(line: Line, request: string, take: (outcome: Outcome) => void): void {
    line.take = take;
    line.socket.write(request, 'latin1');
  }

  return {
    sendOnNew: (request: string, take: (outcome: Outcome) => void) => begin(openLine(), request, take),
    /** Sends a whole request on a connection of its own for the while; false where every one is busy. */
    send(request: string, take: (outcome: Outcome) => void): boolean {
      const line = takeFree() ?? (open < most ? openLine() : undefined);
      if (line === undefined) return false;
      begin(line, request, take);
      return true;
    },
    figures: () => ({ opened, mostOpen }),
  };
}
