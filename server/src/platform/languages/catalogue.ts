import { card } from './en/card.ts';
import { message } from './en/message.ts';
import { page } from './en/page.ts';
import { statement } from './en/statement.ts';

/** The texts that every other language translates, in ICU's message syntax. None needs escaping in HTML. */
export const english = { ...page, ...card, ...message, ...statement } as const;

export type Key = keyof typeof english;

/** The same keys as a part of the English texts. */
type Translation<Part> = { readonly [Name in keyof Part]: string };
export type Catalogue = Translation<typeof english>;
export type PageTexts = Translation<typeof page>;
export type CardTexts = Translation<typeof card>;
export type MessageTexts = Translation<typeof message>;
export type StatementTexts = Translation<typeof statement>;

/** `count` of `{count, plural, …}`, `name` of `{name}`, nothing of a plural's texts. */
type NameIn<Inner extends string> = Inner extends `${infer Name}, plural,${string}`
  ? Name
  : Inner extends `${string} ${string}`
    ? never
    : Inner;

type NamesIn<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? NameIn<Inner> | NamesIn<Rest>
  : never;

/** The arguments of a text. */
export type ArgumentsOf<Name extends Key> = NamesIn<(typeof english)[Name]>;
