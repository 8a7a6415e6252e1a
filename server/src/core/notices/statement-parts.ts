import { foldAddress } from '../../platform/database/folding.ts';

/** Delete of the mails of `$1` about someone's card. @param address in lower case */
export const deleteCardNotices = (address: string) =>
  `delete from notices
     where organization_id = $1 and kind in ('card_code', 'card_reopened') and ${foldAddress('recipient')} = ${address}
     returning 1`;
