/** Characters that are not what they seem, and texts made of them. */

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Code points, and halves of pairs, that break things in the middle of ordinary text. */
const trickyCharacters: Record<string, readonly number[]> = {
  control: [...range(0, 0x1f), 0x7f, 0x80, 0x85, 0x9b, 0x9f],
  'lone surrogate': [0xd800, 0xd83d, 0xdbff, 0xdc00, 0xde00, 0xdfff],
  'zero width': [
    0x00ad, 0x034f, 0x115f, 0x1160, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x3164, 0xfeff, 0xffa0,
  ],
  bidi: [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069), 0x05d0, 0x0627],
  'line separator': [0x2028, 0x2029],
  space: [0x20, 0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000],
  'not a character': [0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x1ffff, 0x10fffe, 0x10ffff],
  private: [0xe000, 0xf8ff, 0xf0000, 0x10fffd],
  annotation: [0xfff9, 0xfffa, 0xfffb, 0xfffc, 0xfffd],
  combining: [0x0300, 0x0338, 0x0489, 0x20dd, 0x3099, 0xfe20],
  'variation or tag': [0xfe00, 0xfe0e, 0xfe0f, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
};

const positions: readonly ((one: string) => string)[] = [
  (one) => one,
  (one) => `${one}Ada`,
  (one) => `Ada${one}`,
  (one) => `A${one}da`,
];

function placed(): [string, string][] {
  return Object.entries(trickyCharacters).flatMap(([family, codes]) =>
    codes.flatMap((code) => {
      // Not `fromCodePoint` alone: half of a pair must stay half of a pair.
      const one = String.fromCodePoint(code);
      return positions.map((position): [string, string] => [family, position(one)]);
    }),
  );
}

const emoji =
  `😀|👨‍👩‍👧‍👦|🏳️‍🌈|🏴󠁧󠁢󠁥󠁮󠁧󠁿|👩🏽‍💻|🇦🇶|🇦|1️⃣|❤️|❤|🤷🏿‍♀️|🧑‍🤝‍🧑|🏴‍☠️|👁️‍🗨️|🐈‍⬛|🫱🏻‍🫲🏿|☺︎|✡|🀄|💩|🏻|‍|👨‍|‍👩|🇺🇸🇷🇺🇸|#️⃣|®️|🅰️|🈳|⚕️`.split(
    '|',
  );

const marks = [0x300, 0x301, 0x316, 0x323, 0x334, 0x340, 0x35c, 0x360, 0x489];
const zalgo = Array.from({ length: 24 }, (_, index) =>
  [...'Ada Lovelace'].map((letter) => letter + String.fromCodePoint(...marks).repeat(index + 1)).join(''),
);

/** Texts whose forms (composed, decomposed, compatible) look alike, and that fold or change length with their case. */
const alike =
  `é|Å|Å|ﬁ|ﬃ|①|㍿|½|ñ|が|각|ệ|q̣̇|ſ|K|Ω|㎏|㏂|…|™|＜script＞|ﷺ|ß|ẞ|İ|ı|i̇|Σ|ς|ǆ|ǅ|ŉ|ΐ|ﬀ|ᾳ|Ⅷ|ⓐ|Ꭰ|ꭰ|ℌ|𝒜𝒹𝒶|𝔸𝕕𝕒|аdmin|аdа|ｆｕｌｌ|Ａｄａ|१२३|١٢٣|１２３|𝟙𝟚𝟛|²³|Ⅳ|〇|٪|＠|．|。|／|＼|＇|＂|﹤b﹥|‹b›|ʼ|’`.split(
    '|',
  );
const forms = alike.flatMap((text) => [
  ...new Set([
    text,
    text.normalize('NFC'),
    text.normalize('NFD'),
    text.normalize('NFKC'),
    text.toUpperCase(),
    text.toLowerCase(),
  ]),
]);

/** Lengths around limits: of names, of addresses, of the Idempotency-Key, of a line, of the headers. */
const lengths = [
  2, 3, 99, 100, 101, 199, 200, 201, 253, 254, 255, 256, 257, 998, 1_000, 4_096, 8_192, 15_000, 17_000, 66_000,
];
const long = ['a', 'é', '😀', '\u0301', '<'].flatMap((one) => lengths.map((length) => one.repeat(length)));

/** Scripts that join, stack, run the other way or have no case. */
const scripts =
  `Ἀδελαΐδα|Ада|עדה|آدا|アダ|阿达|에이다|อาดา|आदा|ಅದಾ|අඩා|ადა|አዳ|𐌀𐌃𐌀|𓀀𓂀|𠜎𠜱|ᚨᛞᚨ|ཨ་དཱ|\u202eadA|a\u0630\u0627b|ＡＤＡ|ᴬᵈᵃ|∀pɐ|Ⓐⓓⓐ|🅐🅓🅐|A\u0336d\u0336a\u0336|ｱﾀﾞ|రా|जी|لُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ 冗`.split(
    '|',
  );

/** [family, text] of every text that is made of odd characters. */
export const oddTexts: readonly (readonly [family: string, text: string])[] = [
  ...placed(),
  ...emoji.map((text) => ['emoji', text] as const),
  ...zalgo.map((text) => ['zalgo', text] as const),
  ...forms.map((text) => ['forms and cases', text] as const),
  ...long.map((text) => ['length', text] as const),
  ...scripts.map((text) => ['script', text] as const),
];
