/** The category of gifts whose recipient chooses one at the claim. They exist if the operator adds it to the catalog. */
export const ANY_CATEGORY = 'any';

/** SQL: the category of a gift's card. */
export const shownCategory = (gift: string): string => `coalesce(${gift}.chosen_category_id, ${gift}.category_id)`;

export const needsChoice = (gift: { category_id: string; chosen_category_id: string | null }): boolean =>
  gift.category_id === ANY_CATEGORY && gift.chosen_category_id === null;
