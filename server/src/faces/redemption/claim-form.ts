import { html } from 'ghtml';
import type { Deps } from '../../core/deps.ts';
import { checkEntered } from '../../core/issuer/check-entered.ts';
import { chosenIssuer } from '../../core/issuer/chosen-issuer.ts';
import type { Entered } from '../../core/issuer/port.ts';
import type { FieldSchema, Requirements } from '../../core/issuer/requirements.ts';
import { englishWords, type Words } from '../../platform/languages/words.ts';
import { chosenField } from './choose-form.ts';
import type { LinkedGift } from './find-linked-gift.ts';
import type { ShownGift } from './shown-gift.ts';
import { wayBackFields, withoutButton } from './way-back-form.ts';

const TERMS = 'terms';

/** What was typed, and what is wrong with it by the field's name. */
export interface RefusedClaim {
  fields: Readonly<Record<string, string>>;
  errors: ReadonlyMap<string, string>;
}

/** The issuer of a gift, and what it needs of the recipient. */
export async function issuerOf(deps: Pick<Deps, 'issuers'>, gift: LinkedGift, { language } = englishWords) {
  const issuer = await deps.issuers.open(gift.scope.organizationId, chosenIssuer(gift));
  return { issuer, requirements: issuer.requirements(language) };
}

/**
 * Reads the form of a claim.
 *
 * @param from where the acceptance of terms came from
 */
export function readClaimForm(
  requirements: Requirements,
  body: URLSearchParams,
  from: Omit<NonNullable<Entered['acceptance']>, 'termsVersion'>,
  words: Words,
): { entered: Entered } | { refused: RefusedClaim } {
  const names = Object.keys(requirements.schema.properties);
  const fields = Object.fromEntries(
    names.flatMap((name) => {
      const text = (body.get(name) ?? '').trim();
      return text === '' ? [] : [[name, text]];
    }),
  );
  const errors = checkEntered(requirements, fields, words);
  const { terms } = requirements;
  if (terms !== undefined && body.get(TERMS) !== terms.version) errors.set(TERMS, words.say('refusal.terms'));
  if (errors.size > 0) return { refused: { fields, errors } };
  return { entered: { fields, acceptance: terms && { termsVersion: terms.version, ...from } } };
}

/** The form of a claim whose issuer needs to know more. It works without scripts. */
export function claimForm(
  action: string,
  requirements: Requirements,
  refused: RefusedClaim | undefined,
  gift: ShownGift,
): string {
  const { words = englishWords, asksWayBack } = gift;
  const { schema, terms } = requirements;
  const fields = Object.entries(schema.properties).map(([name, field]) =>
    fieldRow(name, field, schema.required.includes(name), refused, words),
  );
  const error = refused?.errors.get(TERMS);
  const wayBack = asksWayBack ? wayBackFields(gift, 'email' in schema.properties) : '';
  return html`<form method="post" action="${action}" class="details">!${chosenField(gift)}
!${fields}
!${wayBack}
!${terms === undefined ? '' : html`<p class="terms"><label><input type="checkbox" name="${TERMS}" value="${terms.version}" required!${invalid(TERMS, error)}> ${terms.text}</label> <a href="${terms.url}" rel="noreferrer" target="_blank">${words.say('form.readTerms')}</a></p>!${errorText(TERMS, error)}`}
<button class="button primary large">${words.say('opened.claim')}</button>!${withoutButton(gift)}
</form>`;
}

const invalid = (name: string, error: string | undefined) =>
  error === undefined ? '' : html` aria-invalid="true" aria-describedby="${name}-error"`;

const errorText = (name: string, error: string | undefined) =>
  error === undefined ? '' : html`<p class="notice" id="${name}-error">${error}</p>`;

function fieldRow(
  name: string,
  field: FieldSchema,
  isRequired: boolean,
  refused: RefusedClaim | undefined,
  { say }: Words,
): string {
  const typed = refused?.fields[name] ?? '';
  const error = refused?.errors.get(name);
  const attributes = html`id="${name}" name="${name}" autocomplete="${field['x-autocomplete'] ?? 'off'}"!${isRequired ? ' required' : ''}!${invalid(name, error)}`;
  const { description } = field;
  return html`<p><label for="${name}">${isRequired ? field.title : say('form.optional', { label: field.title })}</label>
!${field.enum === undefined ? textField(attributes, field, typed) : choice(attributes, field, typed)}
!${description === undefined ? '' : html`<small>${description}</small>`}</p>
!${errorText(name, error)}`;
}

function textField(attributes: string, { format, maxLength, pattern }: FieldSchema, typed: string): string {
  const length = maxLength === undefined ? '' : html` maxlength="${maxLength}"`;
  const shape = pattern === undefined ? '' : html` pattern="${pattern}"`;
  return html`<input !${attributes} type="${format ?? 'text'}" value="${typed}"!${length}!${shape}>`;
}

function choice(attributes: string, field: FieldSchema, typed: string): string {
  const options = (field.enum ?? []).map(
    (value, index) =>
      html`<option value="${value}"!${value === typed ? ' selected' : ''}>${field['x-labels']?.[index] ?? value}</option>`,
  );
  return html`<select !${attributes}><option value=""></option>!${options}</select>`;
}
