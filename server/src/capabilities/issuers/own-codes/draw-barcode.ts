/** What tills scan, by its name in the library that draws it. */
export const symbologies = ['code128', 'ean13', 'upca', 'qrcode', 'datamatrix', 'azteccode', 'pdf417'] as const;
export type Symbology = (typeof symbologies)[number];

export const isSymbology = (text: string): text is Symbology => symbologies.some((one) => one === text);

/** @returns an SVG; null if the symbology cannot hold the code, such as letters in an EAN-13 */
export async function drawBarcode(symbology: Symbology, code: string): Promise<string | null> {
  const { toSVG } = await import('bwip-js/node');
  try {
    return toSVG({ bcid: symbology, text: code, includetext: false });
  } catch {
    return null;
  }
}
