const TICK_MS = 50;

/**
 * Measures an act in milliseconds without the time in which a busy machine stopped this process:
 * it counts timer ticks, and missed ticks count once.
 */
export async function ownTimeOf(act: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const counting = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  try {
    await act();
  } finally {
    clearInterval(counting);
  }
  return ticks * TICK_MS;
}
