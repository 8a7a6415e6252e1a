import { catalogues, english, type Key } from '../../platform/languages/catalogue.ts';
import type { Language } from '../../platform/languages/languages.ts';
import type { CategoryNames, CategoryRow } from './queries.ts';

/** The columns of a gift's category that name it. */
export interface NamedCategory {
  shown_category_id: string;
  category_name: string;
  category_names: CategoryNames | null;
}

/** SQL: the columns of `NamedCategory`. */
export const namingColumns = (category: string): string =>
  `${category}.category_id as shown_category_id, ${category}.name as category_name, ${category}.names as category_names`;

const builtInKeys = (Object.keys(english) as Key[]).filter((key) => key.startsWith('category.'));

/** Returns the name in a language: the operator's; or that of a built-in category which the operator has not renamed. */
export function nameIn(language: Language, category: NamedCategory): string {
  const { shown_category_id: id, category_name: name, category_names: names } = category;
  const own = names?.[language];
  if (own !== undefined || language === 'en') return own ?? name;
  const key = builtInKeys.find((one) => one === `category.${id}` && english[one] === name);
  return key === undefined ? name : catalogues[language][key];
}

/** As the recipient reads it. The description is in one language: where another name is read, it is left out. */
export function inLanguage(language: Language, category: CategoryRow): CategoryRow {
  const { category_id: shown_category_id, name: category_name, names: category_names } = category;
  const name = nameIn(language, { shown_category_id, category_name, category_names });
  const isOther = language !== 'en' && name !== category_name;
  return { ...category, name, ...(isOther && { description: '' }) };
}
