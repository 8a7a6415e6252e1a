import type { RecipientAnswer } from './recipient.ts';

type Shown = Pick<RecipientAnswer, 'text'>;

/** Names of the offers that a recipient's page lists, as HTML. */
export const namesOn = ({ text }: Shown): string[] =>
  [...text.matchAll(/<strong><bdi>(.*?)<\/bdi><\/strong>/g)].map(([, name = '']) => name);

/** Paths of the offers' pictures. */
export const picturesOn = ({ text }: Shown): string[] =>
  [...text.matchAll(/<img class="artwork" src="(\/offers\/pictures\/[^"]+)"/g)].map(([, path = '']) => path);

export const isClaimable = ({ text }: Shown): boolean => text.includes('>Claim</button>');
