/**
 * Twilio's error codes that will be the same another time, in words (twilio.com/docs/api/errors). What the operator can
 * put right is not here (20003 the password, 21408 a country that is not allowed, 21606 the sender, 21608 a trial account):
 * such a message is tried for a day.
 */
export const twilioRefusals: Readonly<Record<number, string>> = {
  21211: 'invalid number',
  21214: 'unreachable: the number cannot be reached',
  21217: 'invalid number',
  21265: 'invalid number: a short code',
  21266: 'invalid number: the one that the message would come from',
  21421: 'invalid number',
  21610: 'opted out: the recipient answered STOP',
  21612: 'unreachable: no way to send a text message to this number',
  21614: 'invalid number: not a mobile number',
  21635: 'invalid number: a landline',
  30003: 'unreachable: the phone is off or out of reach',
  30004: 'blocked by the recipient or the carrier',
  30005: 'unknown number: it does not exist or is no longer in service',
  30006: 'unreachable: a landline, or a carrier that cannot be reached',
  30007: 'blocked: the carrier takes the message for spam',
};
