import type { ContactAnswers } from './read-contacts.ts';

/** A file of contacts as people and programs make it, and what must come of it. */
export interface ContactFile {
  name: string;
  bytes: Uint8Array;
  answers?: ContactAnswers;
  /** A question that stays open. */
  asks?: RegExp;
  /** Line, address, and what else the file says. */
  contacts?: string[];
  /** Line and column. */
  marks?: string[];
  leftOut?: string[];
  unused?: string[];
  /** Lines of people who have left. */
  left?: number[];
}
