/**
 * Errors about the operator's account that Twilio reports after it accepted the message
 * (twilio.com/docs/api/errors). The message is sent again, because the operator can correct the account.
 */
export const twilioAccountFaults: Readonly<Record<number, string>> = {
  30001: 'the account’s queue is full',
  30002: 'the account is suspended',
  30010: 'the message costs more than the account allows',
  30022: 'the account’s daily limit or rate is reached',
  30023: 'the account’s daily limit is reached',
  30024: 'the sender’s number is not set up yet',
  30027: 'the account’s daily limit is reached',
  30032: 'the toll-free number is not verified',
  30033: 'the campaign of the sender’s number is suspended',
  30034: 'the sender’s number is not registered (A2P 10DLC)',
};

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
