const cachesComponents = process.env.BESTOW_CACHE_COMPONENTS === '1';

// Next.js itself is linked from outside of the project.
export default { cacheComponents: cachesComponents, partialPrefetching: cachesComponents, turbopack: { root: '/' } };
