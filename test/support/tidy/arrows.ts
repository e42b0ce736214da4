import { importsOf } from './imports';
import type { Finding, Source } from './source';

/** A part of the tree, and everything it may import. All that is not listed is forbidden. */
export type Layer = {
  name: string;
  files: RegExp;
  /** Files of ours whose values it may use, and whose types. */
  values: RegExp;
  types: RegExp;
  packages: RegExp;
};

const none = /^$/;
const pure =
  /^src\/(custody\/(state|amount|template|usualParameters)|orders\/(status|resolve|doing|tally)|telemetry\/(metrics|traceContext))$/;
const anything = /./;

/** The first layer that a file belongs to is the one that counts. */
export const layers: readonly Layer[] = [
  {
    name: 'pure data, which workflows import',
    files:
      /^src\/(custody\/(state|amount|template|usualParameters)|orders\/(status|resolve|doing|tally)|telemetry\/(metrics|traceContext))\.ts$/,
    values: pure,
    types: none,
    packages: none,
  },
  {
    name: 'workflows/',
    files: /^workflows\//,
    values: union(/^workflows\//, pure),
    types: /^(workflows|activities|src\/custody|src\/orders)(\/|$)/,
    packages: /^@temporalio\/workflow$/,
  },
  {
    name: 'activities/',
    files: /^activities\//,
    values: /^(activities|src\/custody(?!\/client$)|src\/orders)\//,
    types: /^(activities|src\/custody|src\/orders)\//,
    packages:
      /^(@temporalio\/(activity|common(\/lib\/time)?|client)|node:crypto|viem(\/account-abstraction)?|zod)$/,
  },
  {
    name: 'src/custody/client.ts',
    files: /^src\/custody\/client\.ts$/,
    values: /^src\/custody\//,
    types: /^src\/custody\//,
    packages: /^(zod|undici|node:crypto)$/,
  },
  {
    name: 'src/custody/callData.ts',
    files: /^src\/custody\/callData\.ts$/,
    values: none,
    types: none,
    packages: /^viem$/,
  },
  {
    name: 'src/custody/',
    files: /^src\/custody\//,
    values: /^src\/custody\/(?!client$)/,
    types: /^src\/custody\//,
    packages: /^(zod|node:crypto)$/,
  },
  {
    name: 'src/orders/',
    files: /^src\/orders\//,
    values: /^src\/(orders\/|custody\/(?!client$))/,
    types: /^src\/(orders|custody)\//,
    packages: /^(zod|viem|node:crypto)$/,
  },
  {
    name: 'src/telemetry/config.ts',
    files: /^src\/telemetry\/config\.ts$/,
    values: /^src\/config$/,
    types: none,
    packages: /^zod$/,
  },
  {
    name: 'src/telemetry/traces.ts',
    files: /^src\/telemetry\/traces\.ts$/,
    values: none,
    types: /^src\/telemetry\/(config|traceContext)$/,
    packages: /^(node:async_hooks|@opentelemetry\/.+)$/,
  },
  {
    name: 'src/telemetry/',
    files: /^src\/telemetry\//,
    values: /^src\/(telemetry\/|config$|custody\/(endpoints|errors)$|orders\/kinds$)/,
    types: /^(src\/(telemetry|custody|orders)\/|workflows\/trace$)/,
    packages: /^(@temporalio\/(activity|client|common|worker)|@opentelemetry\/api|pino|node:.+)$/,
  },
  {
    name: 'src/sandbox/',
    files: /^src\/sandbox\//,
    values:
      /^src\/(sandbox\/|childProcess$|custody\/(?!client$)|telemetry\/(config|traces|traceContext)$)/,
    types: /^src\/(sandbox\/|childProcess$|custody\/|telemetry\/)/,
    packages: union(
      /^(viem(\/.+)?|zod|fastify|@opentelemetry\/api|@fastify\/.+|libsql|pino|solc|node:.+)$/,
      /^@(account-abstraction|thirdweb-dev|foundry-rs)\//,
    ),
  },
  {
    name: 'src/privacy/failureConverter.ts, which workflows are bundled with',
    files: /^src\/privacy\/failureConverter\.ts$/,
    values: none,
    types: none,
    packages: /^@temporalio\/common$/,
  },
  {
    name: 'src/privacy/',
    files: /^src\/privacy\//,
    values: /^src\/(privacy\/|config$)/,
    types: /^src\/(privacy\/|config$)/,
    packages: /^(@temporalio\/(common|proto)|fastify|zod|node:.+)$/,
  },
  {
    name: 'src/stack/',
    files: /^src\/stack\//,
    values: /^(src\/stack\/|src\/childProcess$|src\/orders\/status$|scripts\/)/,
    types: /^(src\/(stack|orders)\/|src\/childProcess$|scripts\/)/,
    packages: /^(@temporalio\/(client|testing|common\/lib\/time)|node:.+)$/,
  },
  {
    name: 'the command that runs the sandbox in its own process',
    files: /^src\/cli\/commands\/sandbox\.ts$/,
    values: /^src\/(cli\/|sandbox\/run$)/,
    types: /^src\/(cli\/|sandbox\/run$)/,
    packages: none,
  },
  {
    name: 'src/cli/ and the demo',
    files: /^src\/(cli\/|demo\/|demo\.ts$)/,
    values:
      /^src\/(cli|demo|stack|orders|custody|privacy)\/|^src\/[^/]+$|^scripts\/|^package\.json$/,
    types:
      /^src\/(cli|demo|stack|orders|custody|privacy)\/|^src\/[^/]+$|^(activities|workflows)(\/|$)/,
    packages: union(
      /^(commander|csv-parse|nanospinner|yaml|zod|viem|node:.+)$/,
      /^@temporalio\/(client|common|envconfig)$/,
    ),
  },
  {
    name: 'src/*.ts',
    files: /^src\/[^/]+\.ts$/,
    values:
      /^(src\/[^/]+|src\/(custody|orders|privacy|telemetry)\/.+|activities(\/(matchingTimes|startOnce))?|workflows(\/trace)?)$/,
    types:
      /^(src\/[^/]+|src\/(custody|orders|privacy|telemetry)\/.+|(activities|workflows)(\/.+)?)$/,
    packages: union(
      /^(@temporalio\/(client|common|envconfig|proto|worker)|picocolors|pino|zod|node:.+)$/,
      /^@temporalio\/common\/lib\/internal-non-workflow$/,
    ),
  },
  {
    name: 'scripts/, which run before anything is installed',
    files: /^scripts\//,
    values: /^scripts\//,
    types: /^scripts\//,
    packages: /^(node:.+|tsx\/cjs\/api)$/,
  },
  {
    name: 'test/, bench/, pictures for docs/ and what kills processes',
    files: /^(test|bench|crash|soak|sweep|docs)\//,
    values: anything,
    types: anything,
    packages: anything,
  },
];

/** Imports that the file's layer does not allow. */
export function checkArrows(source: Source): Finding[] {
  const layer = layers.find(({ files }) => files.test(source.path));
  if (layer === undefined) {
    const rule = 'No layer owns this file: give it a place in test/support/tidy/arrows.ts.';
    return [{ path: source.path, line: 1, rule }];
  }
  return importsOf(source).flatMap(({ line, target, isOurs, isType }) => {
    const allowed = isOurs
      ? isType
        ? union(layer.values, layer.types)
        : layer.values
      : layer.packages;
    if (allowed.test(target)) return [];
    const what = isType ? 'types' : 'values';
    return [
      { path: source.path, line, rule: `${layer.name} may not import ${what} of ${target}.` },
    ];
  });
}

function union(...patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(${source})`).join('|'));
}
