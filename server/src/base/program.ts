/** Who pays for the gifts of an organization: it, or its customers. */
export type Program = 'award' | 'sold';
