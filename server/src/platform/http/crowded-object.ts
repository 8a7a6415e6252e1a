/** No operation has 30 fields. A megabyte of unknown ones costs half a second to refuse. */
const MOST_MEMBERS = 1_000;
/** Shorter JSON has no such object. */
const FEWEST_BYTES = 5 * MOST_MEMBERS;

/** An object or list that is open: its members so far, and where the name of the last one begins. */
interface Open {
  isObject: boolean;
  commas: number;
  nameStart: number;
}

/** Returns the path of the first object with too many members, or undefined. Accepts invalid JSON too. */
export function findCrowdedObject(json: Buffer): string | undefined {
  if (json.length < FEWEST_BYTES) return undefined;
  const outer: Open[] = [];
  let last: Open = { isObject: false, commas: 0, nameStart: 0 };
  let stringStart = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === 0x22) {
      stringStart = index;
      index = endOfString(json, index);
    } else if (character === 0x3a) last.nameStart = stringStart;
    else if (character === 0x2c) {
      last.commas += 1;
      if (last.isObject && last.commas >= MOST_MEMBERS) return pathOf(json, outer.slice(1));
    } else if (character === 0x5b || character === 0x7b) {
      outer.push(last);
      last = { isObject: character === 0x7b, commas: 0, nameStart: 0 };
    } else if (character === 0x5d || character === 0x7d) last = outer.pop() ?? last;
  }
  return undefined;
}

/** The index of the closing quotation mark of a string, or one beyond the text. */
export function endOfString(json: Buffer, start: number): number {
  let index = start + 1;
  // A backslash escapes the next character.
  while (index < json.length && json[index] !== 0x22) index += json[index] === 0x5c ? 2 : 1;
  return index;
}

/** The path as errors name it, such as `gifts[0].delivery`. */
function pathOf(json: Buffer, outer: readonly Open[]): string {
  const steps = outer.map(({ isObject, commas, nameStart }) =>
    isObject ? `.${json.toString('utf8', nameStart + 1, endOfString(json, nameStart)).slice(0, 100)}` : `[${commas}]`,
  );
  return steps.join('').replace(/^\./, '') || 'body';
}
