/**
 * Twilio's permanent errors (twilio.com/docs/api/errors). Errors that the operator can fix are retried: 20003 password,
 * 21408 country not allowed, 21606 sender, 21608 trial account.
 */
export const twilioRefusals: Readonly<Record<number, string>> = {
  21211: 'invalid number',
  21214: 'unreachable number',
  21217: 'invalid number',
  21265: 'invalid number: a short code',
  21266: 'invalid number: the same as the sender’s',
  21421: 'invalid number',
  21610: 'opted out: the recipient answered STOP',
  21612: 'unreachable: no way to send a text message to this number',
  21614: 'invalid number: not a mobile number',
  21635: 'invalid number: a landline',
  30003: 'unreachable: the phone is off or out of reach',
  30004: 'blocked by the recipient or the carrier',
  30005: 'unknown number: it does not exist or is no longer in service',
  30006: 'unreachable: a landline, or a carrier that cannot be reached',
  30007: 'blocked: the carrier classified the message as spam',
};
