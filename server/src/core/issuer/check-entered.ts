import { isDay } from 'bestow-readers/time.ts';
import { englishWords } from '../../platform/languages/words.ts';
import type { FieldSchema, Requirements } from './requirements.ts';

const MOST_CHARACTERS = 200;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const PHONE = /^\+[1-9]\d{6,14}$/;

/**
 * Checks what a recipient entered against the schema.
 *
 * @param fields without surrounding white space; an empty text is a missing field
 * @returns an error for people by the field's name; empty if valid
 */
export function checkEntered(
  { schema }: Requirements,
  fields: Readonly<Record<string, string>>,
  { say } = englishWords,
): Map<string, string> {
  const errors = new Map<string, string>();
  for (const [name, field] of Object.entries(schema.properties)) {
    const text = fields[name] ?? '';
    if (text === '') {
      if (schema.required.includes(name)) errors.set(name, say('form.missing', { label: field.title }));
    } else if (!isValid(field, text)) errors.set(name, field['x-error'] ?? say('form.check', { label: field.title }));
  }
  return errors;
}

function isValid(field: FieldSchema, text: string): boolean {
  const { length } = [...text];
  if (length < (field.minLength ?? 1) || length > (field.maxLength ?? MOST_CHARACTERS)) return false;
  if (field.enum !== undefined && !field.enum.includes(text)) return false;
  if (field.pattern !== undefined && !new RegExp(`^(?:${field.pattern})$`, 'u').test(text)) return false;
  switch (field.format) {
    case 'date':
      return isDay(text);
    case 'email':
      return EMAIL.test(text);
    case 'tel':
      return PHONE.test(text);
    default:
      return true;
  }
}
