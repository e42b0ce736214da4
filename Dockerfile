# The programs of Steadfast: `sandbox`, `worker`, and every other command of the CLI.
FROM node:20.19-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:20.19-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json tsconfig.json LICENSE ./
COPY scripts scripts
COPY src src
COPY activities activities
COPY workflows workflows
# A named volume takes over the owner of the folder on which it is mounted first.
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "/app/scripts/steadfast.js"]
CMD ["worker"]
