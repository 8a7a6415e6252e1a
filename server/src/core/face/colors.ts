import { createHash } from 'node:crypto';
import { dark, light, type MailLook, type MailPalette } from '../../platform/messaging/email-palette.ts';
import { BLACK, contrast, LEAST_CONTRAST, LEAST_EDGE_CONTRAST, mix, visibleOn, WHITE } from './contrast.ts';

/** The organization's colour, and the colour of text on it. */
export interface BrandColors {
  color: string;
  text_color: string;
}

/** Buttons keep the pair, which is readable on any ground. Links and edges get a shade that is visible on theirs. */
function paletteOf(base: MailPalette, { color, text_color }: BrandColors, towards: string): MailPalette {
  const grounds = [base.paper, base.surface, base.sunken];
  const edge = visibleOn(grounds, color, towards, LEAST_EDGE_CONTRAST);
  const link = visibleOn(grounds, color, towards, LEAST_CONTRAST);
  return { ...base, accent: color, onAccent: text_color, link, edge, ribbon: edge };
}

export const mailPalettes = (colors: BrandColors): Pick<MailLook, 'light' | 'dark'> => ({
  light: paletteOf(light, colors, BLACK),
  dark: paletteOf(dark, colors, WHITE),
});

const variables = ({ link, ribbon, paper }: MailPalette, towards: string) =>
  `:root{--ribbon:${ribbon};--accent:${link};--accent-strong:${mix(link, towards, 0.25)};--on-accent:${contrast(WHITE, link) > contrast(paper, link) ? WHITE : paper}}`;

const PRIMARY = '.button.primary,.button.primary:hover';

/** What the pages' stylesheet (`pages/style.css`) needs to wear the colours, and the ribbons of the drawn gifts. */
export function brandStyle(colors: BrandColors): string {
  const { color, text_color } = colors;
  const { light: day, dark: night } = mailPalettes(colors);
  const [shade, tint, glow] = [mix(color, BLACK, 0.25), mix(color, WHITE, 0.25), mix(color, WHITE, 0.5)];
  return `${variables(day, BLACK)}
${PRIMARY}{background:${color};border-color:${day.edge};color:${text_color}}
.button.primary:hover{text-decoration:underline}
#ribbon stop{stop-color:${color}}
#ribbon stop:first-child{stop-color:${shade}}
#loop stop:last-child{stop-color:${color}}
#loop stop:first-child{stop-color:${tint}}
:is(.bow,.artwork) [fill="#7a1934"]{fill:${shade}}
:is(.bow,.artwork) [fill="#c85270"]{fill:${tint}}
.artwork [fill="#9c2544"]{fill:${color}}
.artwork [fill="#b23a58"]{fill:${mix(color, WHITE, 0.12)}}
.bow [fill="#e487a0"]{fill:${glow}}
@media (prefers-color-scheme:dark){${variables(night, WHITE)}${PRIMARY}{border-color:${night.edge}}}
`;
}

const hashOf = (style: string) => createHash('sha256').update(style).digest('hex').slice(0, 12);

/** The path has the colours and a hash of the content, so that browsers can keep it and nothing is looked up. */
export const brandStylePath = (colors: BrandColors): string =>
  `/assets/brand/${colors.color.slice(1)}-${colors.text_color.slice(1)}-${hashOf(brandStyle(colors))}.css`;
