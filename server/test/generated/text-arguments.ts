import { IntlMessageFormat } from 'intl-messageformat';
import { english } from '../../src/platform/languages/catalogue.ts';

interface Element {
  type: number;
  value: string;
  options?: Record<string, { value: Element[] }>;
}

/** Returns the arguments of a text, sorted, and the forms of its plurals. */
export function argumentsOf(text: string): { names: string[]; forms: string[] } {
  const [names, forms] = [new Set<string>(), new Set<string>()];
  const visit = ({ type, value, options = {} }: Element) => {
    // Neither a literal nor the number of a plural.
    if (type !== 0 && type !== 7) names.add(value);
    for (const [form, option] of Object.entries(options)) {
      forms.add(form);
      option.value.forEach(visit);
    }
  };
  (new IntlMessageFormat(text).getAst() as unknown as Element[]).forEach(visit);
  return { names: [...names].sort(), forms: [...forms] };
}

/** Returns the types of the arguments of the English texts, because TypeScript reads no literals from JSON. */
export function textArguments(): string {
  const lines = Object.entries(english).flatMap(([key, text]) => {
    const { names } = argumentsOf(text);
    return names.length === 0 ? [] : [`  '${key}': ${names.map((name) => `'${name}'`).join(' | ')};\n`];
  });
  return `// “npm run generate” writes this file from texts/en.json.\n\nexport interface TextArguments {\n${lines.join('')}}\n`;
}
