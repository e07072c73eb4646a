# The image of `htskit serve`: production dependencies of the lockfile, Node and nothing else. It runs as user 1000.
#
#   docker build --tag htskit .
#   docker run --read-only --volume /data:/data:ro --publish 8080:8080 htskit
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43 AS build
WORKDIR /src
COPY . .
RUN npm install --global --prefix /src/tools "$(node --print 'require("./package.json").packageManager')"
RUN /src/tools/bin/pnpm install --frozen-lockfile --prod --filter htskit --filter-prod @htskit/server... \
    --filter-prod @htskit/jbrowse-plugin...
RUN node node_modules/typescript/bin/tsc -b --noCheck packages/server/tsconfig.build.json packages/jbrowse-plugin/tsconfig.build.json \
  && node scripts/build-command.mjs \
  && node scripts/build-page.mjs
# Injected packages are copied, and the lockfile decides the versions of all others.
RUN /src/tools/bin/pnpm --config.inject-workspace-packages=true --filter @htskit/server --prod deploy /app

FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
ENV NODE_ENV=production PATH=/app/bin:$PATH
COPY --from=build /app /app
# The folder of digests can be written by any user, because platforms choose their own.
RUN mkdir -p /app/bin /data /var/cache/htskit \
  && ln -s ../dist/cli.js /app/bin/htskit \
  && chmod +x /app/dist/cli.js \
  && chmod 1777 /var/cache/htskit
USER 1000:1000
EXPOSE 8080
# Finds the port, and whether it is TLS, by the options of the command and its configuration.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["htskit", "healthcheck"]
ENTRYPOINT ["htskit"]
CMD ["serve", "/data", "--host", "0.0.0.0", "--cache", "/var/cache/htskit"]
