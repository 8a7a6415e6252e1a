import type { Language } from '../../platform/languages/languages.ts';
import { builtInCategories } from './built-in.ts';
import type { CategoryRow } from './queries.ts';

/** Names by language; null if the operator gave none. */
export type CategoryNames = { readonly [Tag in Language]?: string };

/** The columns of a gift's category that name it. */
export interface NamedCategory {
  shown_category_id: string;
  category_name: string;
  category_names: CategoryNames | null;
}

/** SQL: the columns of `NamedCategory`. */
export const namingColumns = (category: string): string =>
  `${category}.category_id as shown_category_id, ${category}.name as category_name, ${category}.names as category_names`;

/** As they stand after “for” in a sentence. */
const builtInNames: { readonly [categoryId: string]: { readonly [Tag in Exclude<Language, 'en'>]: string } } = {
  coffee: {
    de: 'Kaffee',
    es: 'café',
    fr: 'le café',
    it: 'il caffè',
    nl: 'koffie',
    pl: 'kawa',
    'pt-BR': 'café',
    ja: 'コーヒー',
    ar: 'القهوة',
  },
  dining: {
    de: 'Restaurants',
    es: 'restaurantes',
    fr: 'le restaurant',
    it: 'il ristorante',
    nl: 'uit eten',
    pl: 'restauracje',
    'pt-BR': 'restaurantes',
    ja: '食事',
    ar: 'المطاعم',
  },
  groceries: {
    de: 'Lebensmittel',
    es: 'la compra',
    fr: 'les courses',
    it: 'la spesa',
    nl: 'boodschappen',
    pl: 'zakupy spożywcze',
    'pt-BR': 'compras de mercado',
    ja: '食料品',
    ar: 'البقالة',
  },
  books: {
    de: 'Bücher',
    es: 'libros',
    fr: 'les livres',
    it: 'i libri',
    nl: 'boeken',
    pl: 'książki',
    'pt-BR': 'livros',
    ja: '本',
    ar: 'الكتب',
  },
  travel: {
    de: 'Reisen',
    es: 'viajes',
    fr: 'les voyages',
    it: 'i viaggi',
    nl: 'reizen',
    pl: 'podróże',
    'pt-BR': 'viagens',
    ja: '旅行',
    ar: 'السفر',
  },
  fashion: {
    de: 'Mode',
    es: 'moda',
    fr: 'la mode',
    it: 'la moda',
    nl: 'mode',
    pl: 'moda',
    'pt-BR': 'moda',
    ja: 'ファッション',
    ar: 'الأزياء',
  },
  home: {
    de: 'Wohnen',
    es: 'el hogar',
    fr: 'la maison',
    it: 'la casa',
    nl: 'wonen',
    pl: 'dom',
    'pt-BR': 'casa',
    ja: '住まい',
    ar: 'المنزل',
  },
  wellness: {
    de: 'Wellness',
    es: 'bienestar',
    fr: 'le bien-être',
    it: 'il benessere',
    nl: 'wellness',
    pl: 'wellness',
    'pt-BR': 'bem-estar',
    ja: 'リラクゼーション',
    ar: 'الاستجمام',
  },
};

/** Returns the name in a language: the operator's; or that of a built-in category which the operator has not renamed. */
export function nameIn(language: Language, category: NamedCategory): string {
  const { shown_category_id: id, category_name: name, category_names: names } = category;
  const own = names?.[language];
  if (own !== undefined || language === 'en') return own ?? name;
  return (isBuiltIn(id, name) ? builtInNames[id]?.[language] : undefined) ?? name;
}

/** As the recipient reads it. The description is in one language: where another name is read, it is left out. */
export function inLanguage(language: Language, category: CategoryRow): CategoryRow {
  const { category_id: shown_category_id, name: category_name, names: category_names } = category;
  const name = nameIn(language, { shown_category_id, category_name, category_names });
  const isOther = language !== 'en' && name !== category_name;
  return { ...category, name, ...(isOther && { description: '' }) };
}

const isBuiltIn = (id: string, name: string) =>
  builtInCategories.some((builtIn) => builtIn.id === id && builtIn.name === name);
