import type { GivenAnswers } from './read-gifts.ts';

/** A file as people make it, and what must come of it. */
export interface CorpusFile {
  name: string;
  bytes: Uint8Array;
  answers?: GivenAnswers;
  /** A sentence that refuses the whole file. */
  refused?: RegExp;
  /** A question that stays open. */
  asks?: RegExp;
  /** Line, address, amount, and what else the file says. */
  gifts?: string[];
  /** Line and column. */
  marks?: string[];
  leftOut?: string[];
  unused?: string[];
}

/** Separated text with the line ends of Windows. */
export const csv = (...lines: string[]) => Buffer.from(lines.join('\r\n'));
