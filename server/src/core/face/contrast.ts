type Rgb = readonly [red: number, green: number, blue: number];

/** Of text on its ground (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;
/** Of an edge that shows where something is (1.4.11). */
export const LEAST_EDGE_CONTRAST = 3;

export const BLACK = '#000000';
export const WHITE = '#ffffff';

const STEPS = 50;

const channelsOf = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** The relative luminance of WCAG 2.2. */
export function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The ratio of two colours, from 1 to 21. @param one such as `#9c2544` */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(channelsOf(one)), luminance(channelsOf(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** @param share of the second colour, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const to = channelsOf(other);
  const channels = channelsOf(one).map((value, index) => Math.round(value + ((to[index] as number) - value) * share));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Moves a colour towards black or white, as little as is needed to see it on every ground. */
export function visibleOn(grounds: readonly string[], color: string, towards: string, least: number): string {
  const isVisible = (shade: string) => grounds.every((ground) => contrast(shade, ground) >= least);
  for (let step = 0; step < STEPS; step += 1) {
    const shade = mix(color, towards, step / STEPS);
    if (isVisible(shade)) return shade;
  }
  return towards;
}
