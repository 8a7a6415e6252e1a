import type { Language } from './languages.ts';
import type { TextArguments } from './text-arguments.ts';
import ar from './texts/ar.json' with { type: 'json' };
import de from './texts/de.json' with { type: 'json' };
import formalDe from './texts/de-formal.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import ptBR from './texts/pt-BR.json' with { type: 'json' };

export type Key = keyof typeof en;

/** The texts of a language, in ICU's message syntax. None needs escaping in HTML. */
export type Catalogue = Readonly<Record<Key, string>>;

/** The names in a text's braces; never if it has none. */
export type ArgumentsOf<Name extends Key> = TextArguments[Name & keyof TextArguments];

export const english: Catalogue = en;

export const catalogues: Record<Language, Catalogue> = { en, de, fr, es, it, 'pt-BR': ptBR, nl, pl, ja, ar };

/** German that addresses people as “Sie”. */
export const formalGerman: Catalogue = { ...de, ...formalDe };
