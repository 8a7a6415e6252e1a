/**
 * Folds the case of an address by ASCII rules, whatever the language of the database: `lower` of a Turkish one makes
 * another letter of `I`. JavaScript's `toLowerCase` does the same, because addresses are ASCII.
 */
export const foldAddress = (expression: string) => `lower((${expression}) collate "C")`;

/** Folds a text that people search, composed or not, on both sides of a comparison. `Σ` is the only form of `σ` and `ς`. */
export const foldText = (expression: string) => `upper(normalize(${expression}, NFC))`;
