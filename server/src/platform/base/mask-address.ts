/**
 * Masks an address so that only its owner recognizes it: another person may have the link.
 *
 * @param address an email address or an E.164 number
 */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return `${address.slice(0, 2)}•••${address.slice(-2)}`;
  const domain = address.slice(at + 1);
  return `${maskWord(address.slice(0, at))}@${maskWord(domain.slice(0, domain.lastIndexOf('.')))}${domain.slice(domain.lastIndexOf('.'))}`;
}

const maskWord = (word: string) => `${word.slice(0, 1)}•••`;
