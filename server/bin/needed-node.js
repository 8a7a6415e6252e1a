/** Node 26 runs the server's TypeScript without a build. */
const NEEDED_MAJOR_VERSION = 26;

/** Whether the Node that runs this can run the service. */
export const isNewEnough = Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR_VERSION;
