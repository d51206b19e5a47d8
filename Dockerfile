# The service for production: built in one stage, run by an ordinary user in another that holds only what it needs.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/json-text/package.json packages/json-text/
COPY packages/local-postgres/package.json packages/local-postgres/
COPY packages/record-files/package.json packages/record-files/
COPY packages/service/package.json packages/service/
COPY packages/console/package.json packages/console/
COPY packages/client/package.json packages/client/
COPY packages/service/bin packages/service/bin
COPY packages/client/bin packages/client/bin
RUN npm ci
COPY tsconfig.json tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
RUN npm run build && npm ci --omit=dev --workspace @gatehouse-parking/service

FROM node:24.21.0-bookworm-slim
# The embedded database only by choice: a container that was given no DATABASE_URL says so, instead of keeping data that
# vanishes with it. The data folder holds what the service makes itself; with DATABASE_URL, GATEHOUSE_SECRET_KEY and
# GATEHOUSE_HTTPS=off (or a certificate of your own) it makes nothing, and needs no volume.
ENV NODE_ENV=production \
    GATEHOUSE_HOST=0.0.0.0 \
    GATEHOUSE_DATA_DIR=/data \
    GATEHOUSE_EMBEDDED_DATABASE=off
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages/contract/package.json packages/contract/
COPY --from=build /app/packages/contract/dist packages/contract/dist
COPY --from=build /app/packages/json-text/package.json packages/json-text/
COPY --from=build /app/packages/json-text/dist packages/json-text/dist
COPY --from=build /app/packages/local-postgres/package.json packages/local-postgres/
COPY --from=build /app/packages/local-postgres/dist packages/local-postgres/dist
COPY --from=build /app/packages/record-files/package.json packages/record-files/
COPY --from=build /app/packages/record-files/dist packages/record-files/dist
COPY --from=build /app/packages/service packages/service
COPY --from=build /app/packages/console/dist packages/console/dist
RUN ln -s /app/packages/service/bin/gatehouse.js /usr/local/bin/gatehouse \
 && chmod +x packages/service/bin/gatehouse.js \
 && mkdir /data && chown 1000:1000 /data
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8443 8080
STOPSIGNAL SIGTERM
# Liveness: a container whose database is away must not be restarted for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GATEHOUSE_HTTP_PORT || 8080}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the process that gets the signal; run with --init where children may be left behind.
# A larger young generation, because an import makes much short-lived data; and a bound that has the old one collected
# before it grows: the service needs far less than this, but Node would let several hundred MB of garbage lie.
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=512", "--heap-growing-percent=100", "packages/service/bin/gatehouse.js", "serve"]
