const TIMEOUT_MS = 3_000;
const MAX_BYTES = 65_536;

/**
 * Fetches a small text without following redirects.
 *
 * @throws after 3 seconds, or if the response exceeds 64 KiB
 */
export async function fetchLimited(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new Error(`${new URL(url).host} sent more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString() };
}
