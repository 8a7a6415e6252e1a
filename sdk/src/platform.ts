// Types of the web platform. Declarations that named them would need the library `dom` or `@types/node` in every program.

type Web<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : Otherwise;
export type WebHeaders = Web<'Headers', { get(name: string): string | null }>;
export type WebSignal = Web<'AbortSignal', { readonly aborted: boolean }>;
export type WebFetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (address: string, init: never) => Promise<unknown>;
