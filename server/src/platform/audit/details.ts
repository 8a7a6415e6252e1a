// Parts that the details and sentences of several audited actions share.

export type Nothing = Record<string, never>;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const because = (given: string | null): string => (given === null ? '' : ` (${given})`);
