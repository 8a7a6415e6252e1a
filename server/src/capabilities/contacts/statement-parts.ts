/** Above every character: what begins with a text is below the text with this after it. */
const LAST = 'chr(1114111)';

/**
 * SQL: the rows of `contact_words` of the owner `$1`, `$2` that begin with a text: a range of an index. None of a text
 * without a letter or digit.
 */
export const beginningWith = (text: string) =>
  `select contact_id, words from contact_words
   where organization_id = $1 and environment = $2 and searched_words(${text}) <> ''
     and words >= searched_words(${text}) and words < searched_words(${text}) || ${LAST}`;
