/** Who pays for the gifts of an organization: the organization, or its customers. */
export type Program = 'award' | 'sold';
