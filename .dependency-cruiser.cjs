// @ts-check
/** The allowed imports of the tree. A room may import only what it lists. */

/** Pure data: the only files outside workflows/ that run in a workflow. */
const pure = [
  'src/custody/(canonicalJson|objects/(state|finalWord|amount|approval|grounds|template|faucet|money|sameText))',
  'src/custody/networks/networks',
  'src/custody/(abi/usualParameters|batch|memo|readable)',
  'src/orders/progress/(status|doing|resolve|exits)',
  'src/orders/payout/(mayBePaid|tally|lineTarget|linesPerBatch|rate)',
  'src/orders/schedule/override',
  'src/telemetry/(metrics|traceContext)',
  'src/writer/signing/lineTree',
  'src/books/reconcile/finding',
  'src/client/answers/answerId',
];
const custody = 'src/custody/(?!client)';

/**
 * @typedef {object} Room
 * @property {string} name
 * @property {string} files
 * @property {string[]} values our modules whose code the room runs
 * @property {string[]} [types] our modules of which the room imports only types
 * @property {string[]} packages
 */

/** @type {Room[]} */
const rooms = [
  { name: 'pure', files: `^(${pure.join('|')})`, values: pure, packages: ['@noble/hashes'] },
  {
    name: 'workflows',
    files: '^workflows/',
    values: ['workflows/', ...pure],
    types: [
      'activities/',
      'src/(books|chain|client/(account|answers|temporal)|custody|health|orders|store/index)/',
      'src/writer/signing/',
    ],
    packages: ['@temporalio/workflow'],
  },
  {
    name: 'activities',
    files: '^activities/',
    values: [
      'activities/',
      custody,
      'src/(books|chain|checks|client/(account|answers)|health|orders|store/index)/',
      'src/writer/signing/(lineTree|seal|statement)',
      'src/telemetry/(meter|metrics)',
      'src/client/temporal/(inputOf|startOnce|startClose|ordersIn|payoutLines|matchingTimes|runsOf|queueRate)',
    ],
    types: ['src/writer/'],
    packages: ['@temporalio/(activity|common|client)', 'node:', 'viem', 'zod'],
  },
  {
    name: 'custody',
    files: '^src/custody/',
    values: ['src/custody/'],
    packages: ['@noble/hashes', 'abitype', 'zod', 'viem', 'undici', 'node:'],
  },
  {
    name: 'account',
    files: '^src/client/account/',
    values: ['src/(client/account|orders)/', custody],
    packages: ['zod'],
  },
  {
    name: 'health',
    files: '^src/health/',
    values: [
      'src/(chain|client|health|orders)/',
      'src/notices/(lastNoticeHeader|subscriptions)',
      custody,
    ],
    types: ['src/(books/archive|config)'],
    packages: ['@temporalio/client'],
  },
  {
    name: 'answers',
    files: '^src/client/answers/',
    values: ['src/client/answers/', 'src/variables', 'src/custody/canonicalJson'],
    packages: ['undici', 'zod', 'node:'],
  },
  {
    name: 'chain',
    files: '^src/chain/',
    values: ['src/chain/', custody],
    packages: ['viem', 'node:'],
  },
  {
    name: 'index',
    files: '^src/store/index/',
    values: ['src/store/index/', 'src/(config|variables)', custody],
    packages: ['libsql', 'node:'],
  },
  {
    name: 'store',
    files: '^src/store/',
    values: ['src/store/'],
    packages: ['libsql', 'pg', 'node:'],
  },
  {
    name: 'archive',
    files: '^src/books/archive/',
    values: ['src/(books|checks|store)/'],
    packages: ['zod', 'node:'],
  },
  {
    name: 'rates',
    files: '^src/books/rates/',
    values: ['src/(books/rates|checks/(addTo|coinOf|listFile)|orders)', custody],
    types: ['src/books/'],
    packages: ['csv-parse', 'yaml', 'zod', 'node:'],
  },
  {
    name: 'books',
    files: '^src/books/',
    values: ['src/(books|chain|checks|orders)/', custody],
    types: ['src/store/index/'],
    packages: ['viem', 'zod', 'libsql', 'node:'],
  },
  {
    name: 'checks',
    files: '^src/checks/',
    values: ['src/(checks|orders)/', custody],
    packages: ['csv-parse', 'viem', 'yaml', 'zod', 'node:'],
  },
  {
    name: 'lines',
    files: '^src/client/lines/',
    values: [
      'src/(checks|client/lines|orders)/',
      'src/books/(form/(camtParts|csv)|rates/)',
      'src/config',
      custody,
    ],
    packages: ['csv-parse', 'saxes', 'zod', 'node:'],
  },
  {
    name: 'signing',
    files: '^src/writer/signing/',
    values: ['src/(orders|writer/signing)/', 'src/(config|variables)', custody],
    packages: ['zod', '@noble/hashes', 'node:'],
  },
  {
    name: 'writer',
    files: '^src/writer/',
    values: ['src/(checks|orders|store|writer)/', custody],
    packages: ['viem', 'yaml', 'zod', 'node:'],
  },
  {
    name: 'orders',
    files: '^src/orders/',
    values: ['src/orders/', custody],
    packages: ['zod', 'luxon', 'node:'],
  },
  {
    name: 'telemetry',
    files: '^src/telemetry/',
    values: [
      'src/telemetry/',
      'src/(config|variables)',
      'src/custody/(endpoints|errors)',
      'src/orders/(kinds|progress/status)',
    ],
    types: ['src/(custody|orders)/', 'workflows/order/trace'],
    packages: [
      '@temporalio/(activity|client|common|worker)',
      '@opentelemetry/',
      'pino',
      'zod',
      'node:',
    ],
  },
  {
    name: 'sandbox',
    files: '^sandbox/',
    values: [
      'sandbox/',
      'src/(variables|local/childProcess|local/lockFile)',
      custody,
      'src/telemetry/(config|traces|traceContext)',
    ],
    types: ['src/telemetry/'],
    packages: [
      '(viem|zod|fastify|libsql|lru-cache|p-limit|pino|selfsigned|solc|@fastify/|@opentelemetry/api|node:)',
      '@(account-abstraction|thirdweb-dev|foundry-rs)/',
    ],
  },
  {
    name: 'privacy',
    files: '^src/client/privacy/',
    values: ['src/client/privacy/', 'src/(config|variables)'],
    packages: ['@temporalio/(common|proto)', 'fastify', '@fastify/', 'zod', 'node:'],
  },
  {
    name: 'local',
    files: '^src/local/',
    values: ['src/local/', 'src/custody/client', 'src/orders/progress/status', 'scripts/'],
    packages: ['@temporalio/(client|testing|common)', 'libsql', 'node:'],
  },
  {
    name: 'temporal',
    files: '^src/client/temporal/',
    values: ['src/(client/temporal|orders)/', 'src/(config|log|variables)'],
    packages: ['@temporalio/(client|common|proto|worker)', 'zod', 'node:'],
  },
  {
    name: 'client',
    files: '^src/client/',
    values: [
      'src/(client|custody|orders|telemetry|writer/signing)/',
      'src/(config|variables|checks/digest)',
    ],
    types: ['activities/', 'workflows/', 'src/(books|checks)/'],
    packages: ['luxon', '@temporalio/(client|common|proto|envconfig)', 'zod', 'node:'],
  },
  {
    name: 'worker',
    files: '^src/worker/',
    values: [
      'src/(books/archive|chain|checks|client/(answers|privacy|temporal)|custody|orders|store|telemetry|worker|writer)/',
      'src/(config|log|variables)',
      'activities/(index|answers|outcome|chain/receipt)',
      'workflows/(index|order/interceptors)',
    ],
    types: ['activities/', 'src/client/account/'],
    packages: ['@temporalio/(client|common|envconfig|worker)', 'pino', 'zod', 'node:'],
  },
  {
    name: 'notices',
    files: '^src/notices/',
    values: [
      'src/(client/privacy|client/temporal|custody|notices)/',
      'src/orders/(input/sentenceError|payout/shardId|progress/status)',
      'src/telemetry/(meter|metrics)',
      'src/worker/observeWorker',
      'src/(config|log|variables)',
    ],
    packages: ['@temporalio/(client|worker)', 'viem', 'zod', 'node:'],
  },
  {
    name: 'console',
    files: '^src/console/',
    values: [
      'src/(books|checks|client|console|custody|health|orders|store)/',
      'src/writer/(clock|file/|signing/)',
      'src/(config|log|variables)',
    ],
    packages: ['@temporalio/client', 'fastify', '@fastify/', 'viem', 'zod', 'node:'],
  },
  {
    name: 'cli',
    files: '^src/cli/',
    values: [
      'src/(books|chain|checks|cli|client|console|custody|health)/',
      'src/(local|notices|orders|store|worker|writer)/',
      'src/(config|log|variables)',
      // A receipt is made again by the same reading of the chain that confirms an order.
      'activities/chain/(archive|receipt)',
      'scripts/',
      'package.json',
    ],
    types: ['activities/', 'workflows/'],
    packages: [
      '(commander|csv-parse|luxon|nanospinner|picocolors|rrule|saxes|yaml|zod|viem|node:)',
      '@temporalio/(client|common|envconfig)',
    ],
  },
  {
    name: 'src',
    files: '^src/[^/]+[.]ts$',
    values: ['src/orders/input/sentenceError', 'src/[^/]+[.]ts', custody],
    packages: ['@temporalio/(envconfig|worker)', 'libsql', 'pino', 'zod', 'node:'],
  },
  {
    name: 'scripts',
    files: '^scripts/',
    values: ['scripts/', 'package(-lock)?[.]json'],
    packages: ['esbuild', 'tsx', 'typescript', 'node:'],
  },
];

/** All that the package for callers alone may bring. */
const caller = [
  '@noble/hashes',
  '@opentelemetry/api',
  '@temporalio/(client|common|envconfig|proto)',
  'abitype',
  'luxon',
  'zod',
];

/** The one command that starts the sandbox in its own process. */
const startsSandbox = '^src/cli/commands/sandbox[.]ts$';
const product = '^(src|workflows|activities|sandbox|scripts)/';

/** @param {Room} room @param {number} index */
function arrows({ name, files, values, types = [], packages }, index) {
  // A file belongs to the first room that matches it.
  const earlier = rooms.slice(0, index).map((room) => room.files);
  const from = { path: files, pathNot: [...earlier, startsSandbox] };
  const listed = (/** @type {string[]} */ paths) => paths.map((path) => `^${path}`);
  const ours = { path: '^(?!node_modules/)', dependencyTypesNot: ['core'] };
  return [
    {
      name: `${name}-values`,
      comment: `${name} may not run code of that file.`,
      severity: 'error',
      from,
      to: { ...ours, dependencyTypesNot: ['core', 'type-only'], pathNot: listed(values) },
    },
    {
      name: `${name}-types`,
      comment: `${name} may not import that file, not even its types.`,
      severity: 'error',
      from,
      to: { ...ours, pathNot: listed([...values, ...types]) },
    },
    {
      name: `${name}-packages`,
      comment: `${name} may not use that package.`,
      severity: 'error',
      from,
      to: {
        path: '^node_modules/',
        dependencyTypesNot: ['type-only'],
        pathNot: packages.map((one) => `^node_modules/(?:@types/)?(${one})`),
      },
    },
    ...(packages.includes('node:') || name === 'sandbox' || name === 'cli'
      ? []
      : [
          {
            name: `${name}-node`,
            comment: `${name} runs without Node's modules.`,
            severity: 'error',
            from,
            to: { dependencyTypes: ['core'] },
          },
        ]),
  ];
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Files must not import each other. Imports of types count too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-client-in-sandbox',
      comment: 'The two halves meet over HTTP.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^src/custody/client' },
    },
    {
      name: 'sandbox-store-below',
      comment: "The sandbox's chain and store must not import the rooms that use them.",
      severity: 'error',
      from: { path: '^sandbox/(chain|store|faults|config|errors)/' },
      to: { path: '^sandbox/(engine|handlers|http|control|notifications|openapi|service)/' },
    },
    {
      name: 'sandbox-is-started-only',
      comment: 'Only the sandbox command starts the sandbox.',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: startsSandbox },
      to: { path: '^sandbox/' },
    },
    {
      name: 'caller-is-light',
      comment: 'A backend that starts orders installs no chain, no compiler and no server.',
      severity: 'error',
      from: { path: '^src/client/client[.]ts$' },
      to: {
        path: `^node_modules/(?!(?:@types/)?(${caller.join('|')})/)`,
        reachable: true,
      },
    },
    {
      name: 'no-room',
      comment: 'A file of the product needs a room in this table.',
      severity: 'error',
      from: { path: product, pathNot: [...rooms.map(({ files }) => files), startsSandbox] },
      to: {},
    },
    {
      name: 'no-proof-in-product',
      comment: 'The product must not import its tests.',
      severity: 'error',
      from: { path: product },
      to: { path: '^(test|proof|bench|docs)/' },
    },
    ...rooms.flatMap(arrows),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    preserveSymlinks: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'types'],
    },
    exclude: { path: '^(dist|docs/schemas|test/workflows/histories)/' },
  },
};
