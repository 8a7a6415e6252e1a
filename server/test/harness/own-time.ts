const TURN_MS = 50;

/**
 * How long an act of this process takes, milliseconds, without the time in which a busy machine held all of the process up:
 * counted in its own turns, of which as many as were missed are one.
 */
export async function ownTimeOf(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, TURN_MS);
  try {
    await act();
  } finally {
    clearInterval(counting);
  }
  return turns * TURN_MS;
}
