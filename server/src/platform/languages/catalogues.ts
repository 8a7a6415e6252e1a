import { card as arCard } from './ar/card.ts';
import { message as arMessage } from './ar/message.ts';
import { page as arPage } from './ar/page.ts';
import { statement as arStatement } from './ar/statement.ts';
import { type Catalogue, english } from './catalogue.ts';
import { card as deCard } from './de/card.ts';
import { message as deMessage } from './de/message.ts';
import { page as dePage } from './de/page.ts';
import { statement as deStatement } from './de/statement.ts';
import { card as esCard } from './es/card.ts';
import { message as esMessage } from './es/message.ts';
import { page as esPage } from './es/page.ts';
import { statement as esStatement } from './es/statement.ts';
import { card as frCard } from './fr/card.ts';
import { message as frMessage } from './fr/message.ts';
import { page as frPage } from './fr/page.ts';
import { statement as frStatement } from './fr/statement.ts';
import { card as itCard } from './it/card.ts';
import { message as itMessage } from './it/message.ts';
import { page as itPage } from './it/page.ts';
import { statement as itStatement } from './it/statement.ts';
import { card as jaCard } from './ja/card.ts';
import { message as jaMessage } from './ja/message.ts';
import { page as jaPage } from './ja/page.ts';
import { statement as jaStatement } from './ja/statement.ts';
import type { Language } from './languages.ts';
import { card as nlCard } from './nl/card.ts';
import { message as nlMessage } from './nl/message.ts';
import { page as nlPage } from './nl/page.ts';
import { statement as nlStatement } from './nl/statement.ts';
import { card as plCard } from './pl/card.ts';
import { message as plMessage } from './pl/message.ts';
import { page as plPage } from './pl/page.ts';
import { statement as plStatement } from './pl/statement.ts';
import { card as ptBRCard } from './pt-BR/card.ts';
import { message as ptBRMessage } from './pt-BR/message.ts';
import { page as ptBRPage } from './pt-BR/page.ts';
import { statement as ptBRStatement } from './pt-BR/statement.ts';

export const catalogues: Record<Language, Catalogue> = {
  en: english,
  de: { ...dePage, ...deCard, ...deMessage, ...deStatement },
  fr: { ...frPage, ...frCard, ...frMessage, ...frStatement },
  es: { ...esPage, ...esCard, ...esMessage, ...esStatement },
  it: { ...itPage, ...itCard, ...itMessage, ...itStatement },
  'pt-BR': { ...ptBRPage, ...ptBRCard, ...ptBRMessage, ...ptBRStatement },
  nl: { ...nlPage, ...nlCard, ...nlMessage, ...nlStatement },
  pl: { ...plPage, ...plCard, ...plMessage, ...plStatement },
  ja: { ...jaPage, ...jaCard, ...jaMessage, ...jaStatement },
  ar: { ...arPage, ...arCard, ...arMessage, ...arStatement },
};
