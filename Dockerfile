# Steadfast, compiled: `sandbox`, `worker`, and every other command of the CLI.
FROM node:20.19-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No dependency needs an install script, so none may run one.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
COPY activities activities
COPY workflows workflows
COPY sandbox sandbox
RUN npm run build \
 && node dist/scripts/steadfast.js bundle workflow-bundle.js \
 && node dist/scripts/steadfast.js bundle --private private-workflow-bundle.js

FROM node:20.19-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:20.19-bookworm-slim
# Programs write only below /data and /tmp. The rest may be mounted read-only.
ENV NODE_ENV=production \
    XDG_CACHE_HOME=/data/cache \
    STEADFAST_WORKFLOW_BUNDLE=/app/workflow-bundle.js
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/workflow-bundle.js /app/private-workflow-bundle.js ./
COPY package.json LICENSE ./
COPY scripts/steadfast.js scripts/
# A new named volume gets the owner of this folder.
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "/app/scripts/steadfast.js"]
CMD ["worker"]
