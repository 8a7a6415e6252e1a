/**
 * Folds the case of an address by ASCII rules in every database: in a Turkish one `lower` turns `I` into another letter
 * than `i`. JavaScript's `toLowerCase` does the same, because addresses are ASCII.
 */
export const foldAddress = (expression: string) => `lower((${expression}) collate "C")`;

/** Folds the case and accents of a text that people search, on both sides of a comparison: `maria` finds `María`. */
export const foldText = (expression: string) => `fold_text(${expression})`;
