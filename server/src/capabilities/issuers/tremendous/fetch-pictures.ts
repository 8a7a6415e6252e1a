import { fetchLimited } from '../../../platform/http/fetch-limited.ts';
import type { AdapterDeps, IssuerScope } from '../adapter.ts';
import { drawPicture } from '../draw-picture.ts';
import * as queries from './catalog-queries.ts';

/** 2,500 pictures took 17 s on two cores, and a page of as many products 10 ms. */
const AT_ONCE = 8;
const MOST_BYTES = 3_000_000;
const TIMEOUT_MS = 10_000;
const OK = 200;

/** Draws the pictures that are missing, until the signal. A picture that fails is tried again at the next refresh. */
export async function fetchPictures(
  { organizationId, issuerId }: IssuerScope,
  { database }: Pick<AdapterDeps, 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const { pool } = database.laneOf(organizationId);
  const waiting = (await queries.selectUndrawn(database.read, [organizationId, issuerId])).values();
  const work = async () => {
    for (const { product_id, picture_url } of waiting) {
      if (signal.aborted) return;
      const picture = await fetchFile(picture_url, signal)
        .then(drawPicture)
        .catch(() => undefined);
      if (picture === undefined) continue;
      const { pictureId, content } = picture;
      await queries.keepPicture(pool, [organizationId, issuerId, product_id, picture_url, pictureId, content]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await queries.deleteUnusedPictures(pool, [organizationId]);
}

async function fetchFile(url: string, signal: AbortSignal): Promise<Buffer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { status, content } = await fetchLimited(url, MOST_BYTES, within);
  if (status !== OK) throw new Error('The picture could not be fetched.');
  return content;
}
