import { useQuery } from '@tanstack/react-query';
import { api, SCOPE_PATH, unwrap } from '../../api/client.ts';
import type { components } from '../../api/schema.d.ts';
import { useScope } from '../../api/use-scope.ts';
import type { Language } from '../../ui/languages.ts';
import { moneyText } from '../../ui/money-field.tsx';

export type GiftTemplate = components['schemas']['GiftTemplate'];

/** Loads the templates of the environment; only for people who may write gifts. */
export function useTemplates() {
  const { path, may } = useScope();
  return useQuery({
    queryKey: ['gift-templates', path],
    queryFn: () => unwrap(api.GET(`${SCOPE_PATH}/gift-templates`, { params: { path } })),
    enabled: may('order', 'request'),
  });
}

/** What a template fills in, as a form has it. */
export interface TemplateTexts {
  amount: string;
  category: string;
  senderName: string;
  message: string;
  language: Language | '';
}

const textsOf = ({ amount, category, sender_name, message, language }: GiftTemplate): TemplateTexts => ({
  amount: moneyText(amount),
  category,
  senderName: sender_name ?? '',
  message: message ?? '',
  language: (language ?? '') as Language | '',
});

/**
 * Fills a form. What a person has changed stays: a field that has neither its first text nor that of the earlier template.
 *
 * @param empty the form's first texts, which it has again without a template
 */
export function fillTexts<Texts extends Partial<TemplateTexts>>(
  texts: Texts,
  empty: Texts,
  { chosen, earlier }: { chosen: GiftTemplate | undefined; earlier: GiftTemplate | undefined },
): Texts {
  const [next, before] = [chosen && textsOf(chosen), earlier && textsOf(earlier)];
  const names = Object.keys(empty) as (keyof Texts & keyof TemplateTexts)[];
  const unchanged = names.filter((name) => texts[name] === empty[name] || texts[name] === before?.[name]);
  return { ...texts, ...Object.fromEntries(unchanged.map((name) => [name, (next ?? empty)[name]])) };
}
