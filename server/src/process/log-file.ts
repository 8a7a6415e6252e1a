import { write, writeSync } from 'node:fs';

/** Worth the other thread that a write wakes. */
const BLOCK_CHARACTERS = 4_096;
const WRITTEN_EVERY_MS = 1_000;
/** Some 25,000 lines, which a busy server writes in five seconds. */
const MOST_WAITING_CHARACTERS = 8 * 1024 * 1024;
/** A pipe holds 64 kB, so that even one whose reader is always late takes 6 MB a second. */
const TRIED_AGAIN_AFTER_MS = 10;

interface LogFile {
  /** Takes a line with its line break. */
  write(line: string): void;
  /** Calls back once all that was taken is written; never, as long as it cannot be. */
  flush(done: () => void): void;
}

/**
 * A log that is written in blocks, off the path of a request: what waits is written every second and at exit. Nobody is held
 * up or ended by a reader that stalls or is gone, or by a disk that is full: up to 8 MB wait until it goes on, and lines
 * beyond them are dropped.
 *
 * @param onDropped told how many lines are missing, once others can be written again
 */
export function openLogFile(file: 1 | 2, onDropped: (lines: number) => void): LogFile {
  /** Of this turn of the event loop: joined first, because that takes half as long as adding each to what waits. */
  let lines: string[] = [];
  let waiting = '';
  let block = Buffer.alloc(0);
  let isUnderWay = false;
  let dropped = 0;
  let toTell: (() => void)[] = [];

  function join(): void {
    const joined = lines.join('');
    if (waiting.length + joined.length <= MOST_WAITING_CHARACTERS) waiting += joined;
    else dropped += lines.length;
    lines = [];
  }

  function writeWaiting(): void {
    if (block.length > 0 || waiting === '') return;
    block = Buffer.from(waiting);
    waiting = '';
    writeBlock();
  }

  function writeBlock(): void {
    isUnderWay = true;
    write(file, block, (error, bytes) => {
      isUnderWay = false;
      if (error !== null) {
        setTimeout(writeBlock, TRIED_AGAIN_AFTER_MS).unref();
        return;
      }
      block = block.subarray(bytes);
      if (block.length > 0) writeBlock();
      else goOn();
    });
  }

  function goOn(): void {
    if (dropped > 0) onDropped(dropped);
    dropped = 0;
    if (waiting.length >= BLOCK_CHARACTERS || toTell.length > 0) writeWaiting();
    if (block.length > 0) return;
    for (const done of toTell) done();
    toTell = [];
  }

  setInterval(() => {
    join();
    writeWaiting();
  }, WRITTEN_EVERY_MS).unref();

  process.on('exit', () => {
    join();
    // What is under way another thread writes.
    let rest = Buffer.concat([...(isUnderWay ? [] : [block]), Buffer.from(waiting)]);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(file, rest));
    } catch {
      // Whoever would be told of it reads no log.
    }
  });

  return {
    write(line) {
      if (lines.push(line) > 1) return;
      setImmediate(() => {
        join();
        if (waiting.length >= BLOCK_CHARACTERS) writeWaiting();
      });
    },
    flush(done) {
      toTell.push(done);
      join();
      writeWaiting();
      if (block.length === 0) goOn();
    },
  };
}
