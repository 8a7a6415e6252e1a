/**
 * Folds the case of an address by ASCII rules in every database: in a Turkish one `lower` turns `I` into another letter
 * than `i`. JavaScript's `toLowerCase` does the same, because addresses are ASCII.
 */
export const foldAddress = (expression: string) => `lower((${expression}) collate "C")`;

/** Folds a text that people search, composed or not, on both sides of a comparison. `Σ` is the only form of `σ` and `ς`. */
export const foldText = (expression: string) => `upper(normalize(${expression}, NFC))`;
