import { type Message, readText } from './framing.ts';

/** A Query, the messages up to a Sync, or a message outside of statements. */
export interface Cycle {
  bytes: Buffer[];
  /** Whether PostgreSQL ends its answer with a ReadyForQuery. */
  isAnswered: boolean;
  /** The statements that it commits; empty within a transaction. */
  ends: readonly string[];
}

const isBegin = (text: string) => /^\s*(?:begin|start transaction)\b/i.test(text);
const isRollback = (text: string) => /^\s*(?:rollback(?!\s+to)|abort)\b/i.test(text);
/** `commit`, also at the end of several statements. */
const isCommit = (text: string) => /(?:^|;)\s*(?:commit|end)\s*;?\s*$/i.test(text);
/** Flush, Terminate, the password, and copied data. */
const UNANSWERED = 'HXpdcfF';

/** Follows the statements of a client, prepared ones too, and the messages that end them. */
export function createConversation(): (message: Message) => Cycle | undefined {
  const prepared = new Map<string, string>();
  const portals = new Map<string, string>();
  let held: Buffer[] = [];
  let texts: string[] = [];
  let isInTransaction = false;

  function takeHeld(): Buffer[] {
    const bytes = held;
    held = [];
    return bytes;
  }

  function endCycle(): Cycle {
    const last = texts.at(-1) ?? '';
    const ends = isCommit(last) || !isInTransaction ? texts : [];
    if (isCommit(last) || isRollback(last) || !isInTransaction) texts = [];
    if (isCommit(last) || isRollback(last)) isInTransaction = false;
    return { bytes: takeHeld(), isAnswered: true, ends };
  }

  function run(text: string): void {
    if (isBegin(text) && !isCommit(text)) isInTransaction = true;
    texts.push(text);
  }

  const read: Record<string, (bytes: Buffer) => void> = {
    // Parse: name, text.
    P(bytes) {
      const name = readText(bytes, 5);
      prepared.set(name.text, readText(bytes, name.next).text);
    },
    // Bind: portal, name.
    B(bytes) {
      const portal = readText(bytes, 5);
      portals.set(portal.text, prepared.get(readText(bytes, portal.next).text) ?? '');
    },
    // Execute: portal.
    E: (bytes) => run(portals.get(readText(bytes, 5).text) ?? ''),
    Q: (bytes) => run(readText(bytes, 5).text),
  };

  return ({ type, bytes }) => {
    read[type]?.(bytes);
    held.push(bytes);
    if (type === 'Q' || type === 'S') return endCycle();
    return UNANSWERED.includes(type) ? { bytes: takeHeld(), isAnswered: false, ends: [] } : undefined;
  };
}
