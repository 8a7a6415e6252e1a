/** The pages' colours (`pages/style.css`), because mail programs do not support CSS variables. */
export const light = {
  paper: '#fbf7f2',
  surface: '#fffdfa',
  sunken: '#f4ece3',
  ink: '#2a1b21',
  inkSoft: '#66545a',
  line: '#e6dacf',
  accent: '#9c2544',
  onAccent: '#fffaf5',
  link: '#9c2544',
  edge: '#9c2544',
  ribbon: '#9c2544',
} as const;

export type MailPalette = Record<keyof typeof light, string>;

export const dark = {
  paper: '#181216',
  surface: '#231a20',
  sunken: '#2a2027',
  ink: '#f5ede7',
  inkSoft: '#c0b0b2',
  line: '#3c2f37',
  accent: '#f29aae',
  onAccent: '#2b0d17',
  link: '#f29aae',
  edge: '#f29aae',
  ribbon: '#b5405f',
} as const satisfies MailPalette;

/** An organization's look. Absent parts look as the service does. */
export interface MailLook {
  light: MailPalette;
  dark: MailPalette;
  /** Above the mail, instead of the service's name. */
  logo?: { url: string; width: number; height: number; name: string } | undefined;
}

export const plainLook: MailLook = { light, dark };

// Single quotes, for use in an attribute.
export const SERIF = "ui-serif,'New York','Iowan Old Style',Charter,Georgia,'Times New Roman',serif";
export const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
