import { createHash } from 'node:crypto';
import { isPicture, loadSharp } from '../../platform/pages/load-sharp.ts';

/** Of a gift card, twice as wide as pages show it. */
const WIDTH = 480;
const HEIGHT = 302;
/** A picture whose proportions differ by less is cut; another one, such as a logo, gets margins. */
const LIKE_A_CARD = 0.15;
const QUALITY = 82;
/** Decoded, a file has up to 16 MB, and eight are drawn at once. */
const MAX_PIXELS = 4_000_000;
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
  const image = open(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { width, height } = (await image.metadata()).autoOrient;
  const isCard = Math.abs((width / height) * (HEIGHT / WIDTH) - 1) < LIKE_A_CARD;
  const content = await image
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: WIDTH, height: HEIGHT, fit: isCard ? 'cover' : 'contain', background: '#fff' })
    .flatten({ background: '#fff' })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { pictureId: createHash('sha256').update(content).digest('hex').slice(0, 32), content };
}
