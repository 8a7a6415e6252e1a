/** The value at this path of something that others wrote, whatever its shape; undefined where there is none. */
export function lookInto(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

/** What others wrote as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The items of an array that others wrote; none where it is no array. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
