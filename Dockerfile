# Bestow in a container: Node and production dependencies. Needs DATABASE_URL and LINK_SECRET, writes nothing to its file
# system and runs as an unprivileged user. `docker build -t bestow .`

FROM node:26.10.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines engines
COPY extras extras
COPY readers/package.json readers/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY portal/package.json portal/
RUN npm ci --omit=dev --workspace=portal
COPY scripts scripts
COPY readers readers
COPY sdk sdk
COPY portal portal
RUN node scripts/build-portal.js

# Only the server's dependencies: without PostgreSQL, a second Node and the portal's builder.
FROM node:26.10.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engines engines
COPY extras extras
COPY readers/package.json readers/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY portal/package.json portal/
RUN npm ci --omit=dev --workspace=server --workspace=bestow-tracing --workspace=bestow-twilio

FROM node:26.10.0-trixie-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_HOST=0.0.0.0 PORT=3000 PROCESSES=1
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package.json
COPY readers readers
COPY server server
COPY docs docs
COPY sdk/package.json sdk/package.json
COPY --from=build /app/portal/dist portal/dist
# Compiled now, because the file system is read-only later: saves 27 MB and 0.3 s at each start.
RUN NODE_COMPILE_CACHE=node_modules/.cache/bestow node --import ./server/src/surfaces/process/serve.ts server/bin/bestow.js --help > /dev/null
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/bin/bestow.js"]
CMD ["serve"]
