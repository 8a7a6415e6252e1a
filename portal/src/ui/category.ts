/** The category of gifts whose recipient chooses one. */
export const ANY_CATEGORY = 'any';

interface Category {
  id: string;
  name: string;
}

interface Categorized {
  category: Category;
  chosen_category: Category | null;
}

/** Describes the category of a gift for lists and facts. */
export function describeCategory({ category, chosen_category }: Categorized): string {
  if (category.id !== ANY_CATEGORY) return category.name;
  return chosen_category === null ? 'Recipient chooses' : `${chosen_category.name}, chosen by the recipient`;
}

/** Names what a gift is for, after `$25.00 for`. */
export function nameCategory({ category, chosen_category }: Categorized): string {
  if (chosen_category !== null) return chosen_category.name;
  return category.id === ANY_CATEGORY ? 'what the recipient chooses' : category.name;
}

/** Makes the choices of a field. */
export const categoryOptions = (choices: readonly { category_id: string; name: string }[]) =>
  choices.map(({ category_id, name }) => ({
    value: category_id,
    label: category_id === ANY_CATEGORY ? 'They choose' : name,
  }));
