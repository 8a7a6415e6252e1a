import { oneOf } from './setting-kinds.ts';

export const languageSettings = {
  GERMAN_ADDRESS: oneOf(
    'How pages and messages in German address recipients, as “du” or as “Sie”; one of',
    ['informal', 'formal'],
    '`informal`',
  ),
} as const;
