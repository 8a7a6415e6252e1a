/** Names that browsers still list, and the names that the time zone database has today. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Today's name of a zone. */
export const currentZone = (zone: string): string => renamed[zone] ?? zone;

/** As people read it: `America/New York`. */
export const zoneText = (zone: string): string => currentZone(zone).replaceAll('_', ' ');

const plain = (text: string) => text.toLowerCase().replaceAll('_', ' ').trim();

/** Each zone with the texts that find it: its names of today and of before. */
const zones: readonly { zone: string; texts: readonly string[] }[] = [
  ...new Map(
    ['UTC', ...Intl.supportedValuesOf('timeZone')].map((listed) => {
      const zone = currentZone(listed);
      return [zone, { zone, texts: [plain(zone), plain(listed)] }] as const;
    }),
  ).values(),
];

const MOST_SUGGESTED = 8;

/** The zones with a name that has the text, those first in which a part of the name begins with it. */
export function findZones(text: string): string[] {
  const sought = plain(text);
  if (sought === '') return [];
  const found = zones.filter(({ texts }) => texts.some((one) => one.includes(sought)));
  const begins = ({ texts }: (typeof zones)[number]) => texts.some((one) => `/${one}`.includes(`/${sought}`));
  return [...found.filter(begins), ...found.filter((one) => !begins(one))]
    .slice(0, MOST_SUGGESTED)
    .map(({ zone }) => zone);
}

/** The zone whose whole name the text is, also if the zone is not offered; undefined for another text. */
export function readZone(text: string): string | undefined {
  const offered = zones.find(({ texts }) => texts.includes(plain(text)));
  return offered?.zone ?? unlistedZone(text.trim().replaceAll(' ', '_'));
}

/** Such as `US/Pacific`, which a rule may have had for long. */
function unlistedZone(name: string): string | undefined {
  if (!/^[a-z]+\//i.test(name)) return undefined;
  try {
    return currentZone(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return undefined;
  }
}
