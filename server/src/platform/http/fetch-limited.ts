/**
 * Fetches a file of limited size without following redirects.
 *
 * @throws if it has more bytes, or the signal ends first
 */
export async function fetchLimited(
  url: string,
  mostBytes: number,
  signal: AbortSignal,
): Promise<{ status: number; content: Buffer }> {
  const response = await fetch(url, { redirect: 'error', signal });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new Error(`${new URL(url).host} sent more than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return { status: response.status, content: Buffer.concat(chunks) };
}
