/** Most requests at work, with those whose body is still on its way: memory is bounded by it. */
const MAX_UNDER_WAY = 5_000;
/** Most that wait for the service, however short the rush. */
const MAX_IN_A_RUSH = 2_500;
/**
 * Most once a rush has lasted: those that wait longer are not answered any faster for it, only later, and each that waits is
 * copied by the garbage collection. With 1,000 five times the peak was refused in 1.2 s, with 600 in 0.9 s (reliability/RESULTS.md).
 */
const MAX_FOR_LONG = 600;
/** A key may send 2,000 requests at once; what is over by then is taken whole. */
const RUSH_MS = 1_000;
/** So few that a rush is over. */
const FEW = 100;
/** Longer than a read may take. */
const BUSY_FOR_MS = 3_000;

/** Who counts the requests at work, and says when no more are taken. */
interface Admission {
  enter(): void;
  leave(): void;
  /** Does not count a request among those that wait for the service while the service waits for its body. */
  whileReading<Body>(reading: Promise<Body>): Promise<Body>;
  isFull(): boolean;
  /** Whether so many waited lately that one which is answered late is late for that, and not because something is broken. */
  isBusy(): boolean;
}

export function createAdmission(nowMs = () => performance.now()): Admission {
  let underWay = 0;
  let reading = 0;
  let fewAtMs = nowMs();
  let manyAtMs = Number.NEGATIVE_INFINITY;
  return {
    enter() {
      underWay += 1;
    },
    leave() {
      underWay -= 1;
    },
    whileReading(body) {
      reading += 1;
      return body.finally(() => {
        reading -= 1;
      });
    },
    isFull() {
      const waiting = underWay - reading;
      if (waiting <= FEW) fewAtMs = nowMs();
      else manyAtMs = nowMs();
      if (underWay >= MAX_UNDER_WAY || waiting >= MAX_IN_A_RUSH) return true;
      return waiting >= MAX_FOR_LONG && nowMs() - fewAtMs > RUSH_MS;
    },
    isBusy: () => nowMs() - manyAtMs < BUSY_FOR_MS,
  };
}
