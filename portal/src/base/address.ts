// A variable, because Vite would bundle the target of `new URL('…', import.meta.url)` as a file.
const thisScript = import.meta.url;

/** Path of PUBLIC_URL, such as `/shop`; usually empty. Scripts are served from `portal/assets/`. */
export const servicePath = new URL('../..', thisScript).pathname.slice(0, -1);

/** The prefix of every portal URL. */
export const portalPath = `${servicePath}/portal`;
