// By a name: in `new URL('…', import.meta.url)` the build would look for a file.
const thisScript = import.meta.url;

/** Path that stands before all addresses of the service, such as `/shop`; mostly empty. Scripts lie in `portal/assets/`. */
export const servicePath = new URL('../..', thisScript).pathname.slice(0, -1);

/** What every address of the portal begins with. */
export const portalPath = `${servicePath}/portal`;
