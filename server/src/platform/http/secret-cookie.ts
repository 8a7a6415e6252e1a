/** 32 random bytes, as the cookies that are made here have them. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Reads a random secret from a Cookie header; undefined if no cookie has this name and form. */
export function readSecretCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value = ''] = pair.trim().split('=', 2);
    if (key === name && SECRET.test(value)) return value;
  }
  return undefined;
}
