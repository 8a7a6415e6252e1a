import { TypeID } from 'typeid-js';
import { V7Generator } from 'uuidv7';
import type { Clock } from './clock.ts';

/** What each kind of thing's identifier begins with (decisions, «Names»). The database keeps the bare UUID. */
export type IdPrefix = 'org' | 'mem' | 'key' | 'ord' | 'gift' | 'led' | 'card' | 'req' | 'evt';

/** `gift_01h455vb4pex5vsknk084sn02q` of a UUID. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/** The UUID of an identifier, or undefined where the text is not an identifier of that kind. */
export function decodeId(prefix: IdPrefix, text: string): string | undefined {
  // The length first: the library splits and copies before it looks.
  if (text.length !== prefix.length + 27) return undefined;
  try {
    return TypeID.fromString(text, prefix).toUUID();
  } catch {
    return undefined;
  }
}

/** Makes UUIDv7s that only ever rise, whatever the clock does. */
export interface IdGenerator {
  /** The next UUID: greater than every one this generator made, and than every one given to `raiseAbove`. */
  next(): string;
  /** From now on make only UUIDs greater than this one (another process with a faster clock made it). */
  raiseAbove(uuid: string): void;
}

const LARGEST_48_BIT_INTEGER = 2 ** 48 - 1;

export function createIdGenerator(clock: Clock): IdGenerator {
  const generator = new V7Generator();
  // The library would start over when the clock goes back by more than ten seconds; an organization's orders must not.
  generator.setRollbackAllowance(LARGEST_48_BIT_INTEGER);
  let floorMs = 0;
  return {
    next: () => generator.generateOrResetWithTs(Math.max(clock.now(), floorMs)).toString(),
    raiseAbove: (uuid) => {
      const madeAtMs = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
      floorMs = Math.max(floorMs, madeAtMs + 1);
    },
  };
}
