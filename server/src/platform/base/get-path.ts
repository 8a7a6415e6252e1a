/** Reads a path of untrusted data; returns undefined if it does not exist. */
export function getPath(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

/** Reads a text of untrusted data; returns `''` for another value, which `String` may be unable to convert. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = getPath(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** Parses untrusted JSON; returns undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the items of an untrusted array; empty if the value is not an array. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
