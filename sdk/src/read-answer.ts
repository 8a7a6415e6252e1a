const LONGEST_ANSWER_BYTES = 16 * 1024 * 1024;

/** Reads JSON; undefined if it is longer than every answer of the service. @throws SyntaxError, and what the connection throws */
export async function readAnswer(response: Response): Promise<unknown> {
  const reader = response.body?.getReader?.();
  // Another `fetch` may have no web streams.
  if (reader === undefined) return await response.json();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    bytes += value.length;
    if (bytes > LONGEST_ANSWER_BYTES) {
      // The connection may be lost by now.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
