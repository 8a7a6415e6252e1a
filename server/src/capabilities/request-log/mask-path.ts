import { maskFieldName, maskText } from './mask-text.ts';

const MAX_CHARACTERS = 2_000;

/**
 * Masks a path and query, except ids, numbers and the route's words.
 *
 * @param pattern the route's, such as `/v1/orders/:order_id`
 */
export function maskPath(pattern: string, url: string, mailDomain: string): string {
  const [path = '', query] = url.slice(0, MAX_CHARACTERS).split('?', 2);
  const ours = pattern.split('/');
  const mask = (text: string) => maskDecoded(text, (decoded) => maskText(decoded, mailDomain));
  const shown = path.split('/').map((segment, index) => (segment === ours[index] ? segment : mask(segment)));
  if (query === undefined) return shown.join('/');
  const pairs = query.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    const shownName = maskDecoded(name, (decoded) => maskFieldName(decoded, mailDomain));
    return value.length === 0 ? shownName : `${shownName}=${mask(value.join('='))}`;
  });
  return `${shown.join('/')}?${pairs.join('&')}`;
}

/** Returns the text as sent if its decoded form needs no masking, else the masked form. */
function maskDecoded(text: string, mask: (decoded: string) => string): string {
  if (text === '') return text;
  const decoded = decode(text);
  const masked = mask(decoded);
  return masked === decoded ? text : masked;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
