import { html } from 'ghtml';
import { isEasyPin } from '../../core/card-proofs/easy-pin.ts';
import type { Proof, WayBack } from '../../core/card-proofs/prove.ts';
import { hashNewPin, SIX_DIGITS } from '../../core/card-proofs/prove.ts';
import type { Deps } from '../../core/deps.ts';
import { EMAIL_MAX_LENGTH, EMAIL_PATTERN } from '../../core/gifts/gift/address-patterns.ts';
import { timeOfId } from '../../platform/base/id-time.ts';
import { isolated, isolatedAddress } from '../../platform/languages/isolated.ts';
import { englishWords } from '../../platform/languages/words.ts';
import { actPath } from './base-path.ts';
import { digitsField } from './digits-field.ts';
import type { LinkedGift } from './find-linked-gift.ts';
import type { ShownGift, TypedWayBack } from './shown-gift.ts';

// How the card of a link gift comes back if its browser is lost: a link gift has no address that a code could be sent to.

const EMAIL = new RegExp(EMAIL_PATTERN);

/** A page of the release before has no such field, and a program that claims sends none: neither is asked. */
const ADDRESS = 'holder_email';
const WITHOUT = 'without';

/**
 * Reads an email address and a PIN; one of them is enough.
 *
 * @param issuerEmail what the form of the card's issuer asks for, if it does
 * @param dates that a stranger with the link may know
 * @returns no way back if what was typed has an error
 */
export async function readWayBack(
  form: URLSearchParams,
  { issuerEmail = '', dates }: { issuerEmail?: string | undefined; dates: readonly Date[] },
): Promise<{ typed: TypedWayBack; wayBack?: WayBack }> {
  const typed = { address: (form.get(ADDRESS) ?? '').trim(), pin: (form.get('digits') ?? '').trim() };
  const { pin } = typed;
  const refuse = (error: NonNullable<TypedWayBack['error']>) => ({ typed: { ...typed, error } });
  if (pin !== '' && !SIX_DIGITS.test(pin)) return refuse('pin');
  if (pin !== '' && isEasyPin(pin, dates)) return refuse('easy_pin');
  const address = typed.address === '' && form.has(ADDRESS) ? issuerEmail : typed.address;
  if (address !== '' && (address.length > EMAIL_MAX_LENGTH || !EMAIL.test(address))) return refuse('email');
  if (address === '' && pin === '' && form.has(ADDRESS) && !form.has(WITHOUT)) return refuse('nothing');
  return { typed, wayBack: { pin: pin === '' ? undefined : await hashNewPin(pin), address: address || undefined } };
}

/** Dates of a gift that someone with its link may know. */
export const datesOf = ({ clock }: Pick<Deps, 'clock'>, gift: LinkedGift): Date[] =>
  [gift.opened_at, gift.claimed_at, gift.expires_at, timeOfId(gift.gift_id), new Date(clock.now())].filter(
    (date) => date !== null,
  );

/** The part of a claim's form that asks for an address or a PIN. @param hasEmail whether the issuer's form asks for an address */
export function wayBackFields(gift: ShownGift, hasEmail = false): string {
  const { words = englishWords, senderName, typedWayBack: typed } = gift;
  const warning = words.say('keep.warning', { sender: isolated(senderName) });
  return html`<fieldset class="way-back" id="way-back">
<legend>${words.say('keep.title')}</legend>
!${typed?.error === 'nothing' ? html`<p class="notice" role="alert">!${warning}</p>` : html`<p>${words.say('keep.why')}</p>`}
!${hasEmail ? html`<input type="hidden" name="${ADDRESS}" value="">` : addressField(gift)}
!${pinField(gift)}
</fieldset>`;
}

/** The button for those who were warned; it follows the one that claims. */
export const withoutButton = ({ words = englishWords, typedWayBack }: ShownGift): string =>
  typedWayBack?.error === 'nothing'
    ? html`<button class="button" name="${WITHOUT}" value="yes">${words.say('keep.without')}</button>`
    : '';

/** The part of a claimed gift's page that shows its holder how other devices can show the number, and changes it. */
export function devicesPanel(
  gift: ShownGift,
  { address, hasPin, isPinEnded }: Pick<Proof, 'address' | 'hasPin' | 'isPinEnded'>,
): string {
  const { basePath, words = englishWords, typedWayBack } = gift;
  const form = html`<form class="details" method="post" action="${actPath(basePath, 'pin')}#devices">
!${addressField(gift)}
!${pinField(gift)}
<button class="button">${words.say('devices.set')}</button>
</form>`;
  const isSet = address !== null || hasPin;
  return html`<section class="panel" id="devices" aria-labelledby="devices-title">
<h2 id="devices-title">${words.say('devices.title')}</h2>
!${isPinEnded ? html`<p class="notice">${words.say('devices.pinEnded')}</p>` : ''}!${isSet || isPinEnded ? '' : html`<p>${words.say('devices.text')}</p>`}!${address === null ? '' : html`<p>!${words.say('devices.byCode', { address: isolatedAddress(address) })}</p>`}!${hasPin ? html`<p>${words.say('devices.byPin')}</p>` : ''}
!${
    isSet
      ? html`<details!${typedWayBack === undefined ? '' : ' open'}>
<summary>${words.say('devices.change')}</summary>
!${form}
</details>`
      : form
  }
</section>`;
}

const errorText = (id: string, text: string) => html`<p class="notice" id="${id}" role="alert">${text}</p>`;

function addressField({ words = englishWords, typedWayBack: typed }: ShownGift): string {
  const isWrong = typed?.error === 'email';
  return html`<p><label for="${ADDRESS}">${words.say('keep.email')}</label>
<input id="${ADDRESS}" name="${ADDRESS}" type="email" autocomplete="email" maxlength="${EMAIL_MAX_LENGTH}" value="${typed?.address ?? ''}"!${isWrong ? html` aria-invalid="true" aria-describedby="${ADDRESS}-error"` : ''}></p>
!${isWrong ? errorText(`${ADDRESS}-error`, words.say('notice.wrongEmail')) : ''}`;
}

function pinField({ words = englishWords, typedWayBack: typed }: ShownGift): string {
  const wrong = { pin: 'notice.pinDigits', easy_pin: 'notice.pinEasy' } as const;
  const fault = typed?.error === 'pin' || typed?.error === 'easy_pin' ? wrong[typed.error] : undefined;
  const error = fault === undefined ? '' : errorText('digits-error', words.say(fault));
  return html`<p class="digits-row">!${digitsField(words, words.say('keep.pin'), 'off', false, { typed: typed?.pin })}</p>
!${error}`;
}
