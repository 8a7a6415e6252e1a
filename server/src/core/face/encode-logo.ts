import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { OperatorError } from '../../platform/base/operator-error.ts';
import { light } from '../../platform/messaging/email-palette.ts';
import { isPicture, loadSharp, type OpenImage } from '../../platform/pages/load-sharp.ts';
import { luminance, WHITE } from './contrast.ts';

/** A logo as it is served: PNG without transparency and without metadata. */
interface Logo {
  content: Buffer;
  hash: string;
  width: number;
  height: number;
}

/** A body of a request has at most 1 MB, and base64 makes 4 bytes of 3. */
const MAX_FILE_BYTES = 750_000;
const MAX_WIDTH = 400;
const MAX_HEIGHT = 160;
const LEAST_SIDE = 16;
/** Decoded, a file has up to 64 MB. */
const MAX_PIXELS = 16_000_000;
const TIMEOUT_SECONDS = 10;
/** Around a logo that had transparent parts. */
const MARGIN = 12;
const OPAQUE = 255;
/** A drawing of lighter pixels than this would not be seen on white. */
const LIGHT = 0.6;

const formats = ['png', 'jpeg', 'webp'];
const INCOMPLETE = 'The logo must be a complete PNG, JPEG or WebP image.';

/**
 * Draws an image again as a small PNG. Transparent parts become white, or dark below a light drawing, so that the logo is seen
 * on every ground.
 *
 * @throws OperatorError if the file is not such an image, or too large
 */
export async function encodeLogo(file: Buffer): Promise<Logo> {
  if (file.length > MAX_FILE_BYTES) throw new OperatorError('The logo must have at most 750 kB.');
  const open = await loadSharp();
  const isImage = isPicture(file);
  const read = () =>
    open(file, { limitInputPixels: MAX_PIXELS, failOn: 'warning', pages: 1 }).timeout({ seconds: TIMEOUT_SECONDS });
  const { format, autoOrient: { width, height } = { width: 0, height: 0 } } = isImage
    ? await read().metadata().catch(refuse)
    : {};
  if (format === undefined || !formats.includes(format)) throw new OperatorError(INCOMPLETE);
  if (width * height > MAX_PIXELS) throw new OperatorError('The logo must have at most 16 million pixels.');
  // Before decoding: 31 kB of 1 × 16,000,000 pixels took 18 s.
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  if (Math.round(scale * Math.min(width, height)) < LEAST_SIDE)
    throw new OperatorError(
      `The logo must be at least ${LEAST_SIDE} pixels wide and high, also when it is fitted into ${MAX_WIDTH} × ${MAX_HEIGHT}.`,
    );
  const pixels = await scaled(read().autoOrient(), MAX_WIDTH, MAX_HEIGHT).catch(refuse);
  const { data, info } = await onGround(open, pixels);
  const content = await open(data, rawOf(info)).png({ compressionLevel: 9 }).toBuffer();
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return { content, hash, width: info.width, height: info.height };
}

interface Pixels {
  data: Buffer;
  info: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

const rawOf = ({ width, height, channels }: Pixels['info']) => ({ raw: { width, height, channels } });

function refuse(): never {
  throw new OperatorError(INCOMPLETE);
}

const scaled = (image: Sharp, width: number, height: number): Promise<Pixels> =>
  image
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });

async function onGround(open: OpenImage, pixels: Pixels): Promise<Pixels> {
  const { lightness, isTransparent, isEmpty } = look(pixels.data);
  if (isEmpty) throw new OperatorError('The logo is empty: every pixel is transparent.');
  const whole = open(pixels.data, rawOf(pixels.info));
  if (!isTransparent) return await whole.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const inner = await scaled(whole, MAX_WIDTH - 2 * MARGIN, MAX_HEIGHT - 2 * MARGIN);
  const background = lightness > LIGHT ? light.ink : WHITE;
  return await open(inner.data, rawOf(inner.info))
    .flatten({ background })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background })
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** @param rgba eight bits each */
function look(rgba: Buffer): { lightness: number; isTransparent: boolean; isEmpty: boolean } {
  let [sum, weight, isTransparent] = [0, 0, false];
  for (let index = 0; index < rgba.length; index += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(index, index + 4);
    sum += luminance([red, green, blue]) * alpha;
    weight += alpha;
    isTransparent ||= alpha < OPAQUE;
  }
  return { lightness: sum / weight, isTransparent, isEmpty: weight === 0 };
}
