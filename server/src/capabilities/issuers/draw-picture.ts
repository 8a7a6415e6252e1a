import { createHash } from 'node:crypto';
import { isPicture, loadSharp } from '../../platform/pages/load-sharp.ts';

/** Of a gift card, twice as wide as pages show it. */
const WIDTH = 480;
const HEIGHT = 302;
const QUALITY = 82;
const MAX_PIXELS = 25_000_000;
const TIMEOUT_SECONDS = 10;

interface Picture {
  /** A hash of the content. */
  pictureId: string;
  /** WebP. */
  content: Buffer;
}

/** Draws a provider's picture again, small and without anything else that the file has. @throws if it is not a picture */
export async function drawPicture(file: Buffer): Promise<Picture> {
  if (!isPicture(file)) throw new Error('The file is not a picture.');
  const open = await loadSharp();
  const content = await open(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: WIDTH, height: HEIGHT, fit: 'contain', background: '#fff' })
    .flatten({ background: '#fff' })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { pictureId: createHash('sha256').update(content).digest('hex').slice(0, 32), content };
}
