import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSandboxConfig } from '../../../sandbox/config/config';
import { createProgram } from '../../../src/cli/program';
import { readCustodyConfig, readTemporalConfig } from '../../../src/config';
import { readConsoleConfig } from '../../../src/console/config';
import { attributeNames } from '../../../src/orders/progress/status';
import { readServiceConfig } from '../../../src/worker/workerConfig';
import { readPolicyFile } from '../../../src/writer/file/readPolicy';
import {
  composeFile,
  composeText,
  filledIn,
  given,
  readComposeFile,
} from '../../support/package/composeFile';

const root = join(__dirname, '..', '..', '..');
const { services, volumes, configs } = readComposeFile();
const all = Object.entries(services);
/** The services that run our own image. */
const programs = all.filter(([, { image }]) => image.startsWith('steadfast:'));

function environmentOf(name: string): Record<string, string> {
  return services[name]?.environment ?? {};
}

/** The faults that the schema of the Compose Specification finds. */
function faults(file: unknown): string[] {
  const package_ = dirname(require.resolve('dclint/package.json'));
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(join(package_, 'schemas', 'compose.schema.json'), 'utf8'),
  );
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true, logger: false }));
  const validate = ajv.compile(schema);
  validate(file);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

describe('docker-compose.yml', () => {
  test('is valid by the Compose Specification', () => {
    expect(faults(parse(filledIn(composeText, given), { merge: true }))).toEqual([]);
  });

  test.each([
    ['    healthcheck:', '    healthchek:'],
    ['condition: service_healthy', 'condition: healthy'],
    ['restart: unless-stopped', 'restart: [always]'],
    ['interval: 5s', 'intervall: 5s'],
  ])('is refused with this mistake: %s written as %s', (right, wrong) => {
    const mistaken = filledIn(composeText, given).replace(right, wrong);
    expect(faults(parse(mistaken, { merge: true }))).not.toEqual([]);
  });

  test.each(Object.keys(given))('says what to do when %s is missing', (name) => {
    const { [name]: _, ...others } = given;
    expect(() => filledIn(composeText, others)).toThrow(new RegExp(`^Set ${name} to .+\\.$`));
  });

  test('contains no password and no key', () => {
    const secrets = all.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD|KEYS?$|SECRET|TOKEN/.test(name)),
    );
    // The writer has three secrets, workers, sandbox and codec server two, the others one each.
    expect(secrets).toHaveLength(16);
    for (const [, value] of secrets) expect(Object.values(given)).toContain(value);
  });

  test('names every image with its exact version', () => {
    const images = new Set(all.map(([, { image }]) => image));
    for (const image of images) expect(image).toMatch(/^[\w/-]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  test('is reachable from this machine only, at the usual ports', () => {
    const ports = all.flatMap(([, { ports }]) => ports);
    const [temporal, ui] = ['127.0.0.1:7233:7233', '127.0.0.1:8233:8080'];
    const [codec, sandbox] = ['127.0.0.1:8234:8234', '127.0.0.1:4010:4010'];
    const [webhooks, pages] = ['127.0.0.1:4020:4020', '127.0.0.1:4030:4030'];
    const [prometheus, grafana] = ['127.0.0.1:9090:9090', '127.0.0.1:3000:3000'];
    expect(ports).toEqual([temporal, ui, codec, sandbox, webhooks, pages, prometheus, grafana]);
  });

  test('waits only for services with a health check', () => {
    for (const [, { depends_on }] of all) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const target = services[name];
        const ends = condition === 'service_completed_successfully';
        expect(ends ? target?.restart : target?.healthcheck).toBeDefined();
        expect(ends ? target?.restart : 'on-failure').toMatch(/^on-failure/);
      }
    }
  });

  test('keeps data that must outlive a container in named volumes', () => {
    const used = all.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0]));
    const named = used.filter((volume) => !volume?.startsWith('.'));
    expect(named).toEqual(Object.keys(volumes));
  });

  test('mounts our files read-only', () => {
    const mounts = all.flatMap(([, { volumes }]) => volumes.filter((path) => path.startsWith('.')));
    expect(mounts).toHaveLength(4);
    for (const mount of mounts) expect(mount).toMatch(/^\.\/observability\/\S+:\/etc\/\S+:ro$/);
  });

  test('mounts only files that exist', () => {
    const mounts = all.flatMap(([, { volumes }]) => volumes.filter((path) => path.startsWith('.')));
    const missing = mounts.filter((mount) => !existsSync(join(root, mount.split(':')[0] ?? '')));
    expect(missing).toEqual([]);
  });

  test('lets no program gain rights, fill the disk with logs or use all memory', () => {
    const limits = { 'max-size': '10m', 'max-file': '5' };
    for (const [, service] of all) {
      expect(service).toMatchObject({
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        logging: { driver: 'json-file', options: limits },
      });
    }
  });

  test('lets only Temporal reach the database', () => {
    const reach = all.filter(([, service]) =>
      JSON.stringify(service.networks)?.includes('database'),
    );
    expect(reach.map(([name]) => name)).toEqual(['postgres', 'temporal']);
    expect(services.postgres?.networks).toEqual(['database']);
  });
});

describe('the programs in docker-compose.yml', () => {
  test('are two identical workers, a writer, and one of each other program', () => {
    const names = programs.map(([name]) => name);
    const others = ['codec', 'sandbox', 'webhooks', 'console'];
    expect(names).toEqual([...others, 'worker-1', 'worker-2', 'writer']);
    expect(services['worker-1']).toEqual(services['worker-2']);
  });

  test('keep the entity secret to the writer, which has a policy, a ledger and a pinned key', () => {
    const { writer, ...others } = Object.fromEntries(
      programs.map(([name, { environment }]) => [name, environment]),
    );
    for (const environment of Object.values(others)) {
      expect(Object.keys(environment)).not.toContain('CUSTODY_ENTITY_SECRET');
    }
    expect(others['worker-1']?.STEADFAST_ROLES).toBe('workflows,reads');
    expect(writer?.STEADFAST_ROLES).toBe('writes');
    const policy = z.object({ file: z.string() }).parse(configs.policy).file;
    const [mounted] = z.array(z.object({ target: z.string() })).parse(services.writer?.configs);
    expect(writer?.STEADFAST_POLICY_FILE).toBe(mounted?.target);
    const [volume] = services.writer?.volumes ?? [];
    expect(writer?.STEADFAST_LEDGER).toBe(`file:${volume?.split(':')[1]}/ledger.db`);
    expect(readServiceConfig(['writes'], writer)?.publicKeySha256).toBe(
      given.CUSTODY_PUBLIC_KEY_SHA256,
    );
    // The policy that is named lets nothing out, until somebody names another one.
    const { limits, denials } = readPolicyFile(join(root, policy), { blockchain: 'ARC-TESTNET' });
    expect([limits, denials.map(({ to }) => to)]).toEqual([[], ['anyone']]);
  });

  test('give the console the policy of the writer, and no secret of the service', () => {
    const { console: pages, writer } = services;
    expect(pages?.configs).toEqual(writer?.configs);
    expect(Object.keys(pages?.environment ?? {})).not.toContain('CUSTODY_API_KEY');
    const { policyFile, origin, file } = readConsoleConfig(environmentOf('console'));
    expect(policyFile).toBe(environmentOf('writer').STEADFAST_POLICY_FILE);
    // The usual address is the one that its port has on this machine.
    expect(pages?.ports).toEqual([`127.0.0.1:${new URL(origin).port}:4030`]);
    expect(pages?.volumes).toEqual([`console:${dirname(file)}`]);
  });

  test('accept a LIVE_ key, where somebody asks for it', () => {
    const key = `LIVE_API_KEY:${'a'.repeat(32)}:${'b'.repeat(32)}`;
    const service = { CUSTODY_BASE_URL: 'https://api.example.com/v1/w3s', CUSTODY_API_KEY: key };
    const node = { CUSTODY_BLOCKCHAIN: 'ARC', CHAIN_RPC_URL: 'https://node.example.com' };
    const live = { ...given, ...service, ...node, STEADFAST_LIVE: '1' };
    const { services: own } = composeFile.parse(
      parse(filledIn(composeText, live), { merge: true }),
    );
    expect(readServiceConfig(['writes'], own.writer?.environment)?.apiKey).toBe(key);
    expect(readServiceConfig(['reads'], own['worker-1']?.environment)?.apiKey).toBe(key);
  });

  test('have no rights, and write only to a volume and /tmp', () => {
    for (const [, service] of programs) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true });
      expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp:.*size=\d+m/)]);
      for (const volume of service.volumes) expect(volume).toMatch(/:\/data$/);
    }
  });

  test('run commands of the CLI', () => {
    const known = createProgram(() => {}).commands.map((command) => command.name());
    expect(known).toEqual(expect.arrayContaining(programs.flatMap(([, { command }]) => command)));
  });

  test('get only variables that they know', () => {
    const configs = [
      'src/config',
      'src/worker/workerConfig',
      'sandbox/config/config',
      'src/client/privacy/config',
      'src/telemetry/config',
      'src/notices/config',
      'src/console/config',
    ];
    const sources = configs.map((path) => readFileSync(join(root, `${path}.ts`), 'utf8'));
    const names = programs.flatMap(([, { environment }]) => Object.keys(environment));
    const unknown = names.filter((name) => !sources.some((source) => source.includes(name)));
    // Temporal's own library reads these.
    expect([...new Set(unknown)]).toEqual(['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']);
  });

  test('share their keys and find each other', () => {
    const sandbox = readSandboxConfig(environmentOf('sandbox'));
    const custody = readCustodyConfig(environmentOf('writer'));
    const temporal = readTemporalConfig(environmentOf('worker-1'));
    expect(custody.baseUrl).toBe(`http://sandbox:${sandbox.port}/v1/w3s`);
    expect([custody.apiKey, custody.entitySecret]).toEqual([sandbox.apiKey, sandbox.entitySecret]);
    expect(sandbox).toMatchObject({ host: '0.0.0.0', dataDir: '/data' });
    expect(temporal.connection.address).toBe('temporal:7233');
    const { STEADFAST_CODEC_KEYS: keys } = environmentOf('worker-1');
    expect(environmentOf('codec').STEADFAST_CODEC_KEYS).toBe(keys);
  });

  test('accept requests for private payloads from the address of the UI', () => {
    const [codecPort = ''] = services.codec?.ports ?? [];
    const [uiPort = ''] = services.ui?.ports ?? [];
    const { TEMPORAL_CODEC_ENDPOINT: endpoint } = environmentOf('ui');
    expect(endpoint).toBe(`http://${codecPort.replace(/:\d+$/, '')}`);
    const { STEADFAST_CODEC_UI_ORIGIN: origin, STEADFAST_CODEC_PORT: port } =
      environmentOf('codec');
    expect(origin).toBe(`http://${uiPort.replace(/:\d+$/, '')}`);
    expect(codecPort).toMatch(new RegExp(`:${port}$`));
  });

  test('are all scraped by Prometheus if they serve metrics', () => {
    const config = readFileSync(join(root, 'observability', 'prometheus.yml'), 'utf8');
    for (const name of ['worker-1', 'worker-2', 'writer']) {
      const { STEADFAST_METRICS_ADDRESS: address = '' } = environmentOf(name);
      expect(config).toContain(`${name}:${address.split(':')[1]}`);
    }
  });

  test("have dashboards in Grafana's folder", () => {
    const path = 'observability/grafana/provisioning/dashboards/steadfast.yml';
    const { providers } = z
      .object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
      .parse(parse(readFileSync(join(root, path), 'utf8')));
    const mounted = (services.grafana?.volumes ?? []).map((volume) => volume.split(':')[1]);
    for (const { options } of providers) expect(mounted).toContain(options.path);
  });

  test('have a Temporal in which orders overtake payouts', () => {
    const { content } = z.object({ content: z.string() }).parse(configs.temporal);
    expect(parse(content)).toEqual({ 'matching.useNewMatcher': [{ value: true }] });
    const { DYNAMIC_CONFIG_FILE_PATH: path } = environmentOf('temporal');
    const [mounted] = z.array(z.object({ target: z.string() })).parse(services.temporal?.configs);
    expect(mounted?.target).toBe(`/etc/temporal/${path}`);
  });

  test('have a Temporal with a fixed address, since it has two networks', () => {
    const listens = environmentOf('temporal').BIND_ON_IP;
    const { networks } = z.object({ networks: z.array(z.string()) }).parse(services.temporal);
    expect([networks.length, listens]).toEqual([2, '0.0.0.0']);
    // A server that listens everywhere needs an address that others can reach.
    expect(environmentOf('temporal').TEMPORAL_BROADCAST_ADDRESS).toBe('127.0.0.1');
  });

  test('find every search attribute that orders carry', () => {
    const words = services['search-attributes']?.entrypoint ?? [];
    const created = words.flatMap((word) => /^--name=(.+)$/.exec(word)?.[1] ?? []);
    expect(created).toEqual([...attributeNames]);
    expect(words.filter((word) => word === '--type=Keyword')).toHaveLength(created.length);
  });
});

describe('the image', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const stages = text.split(/^FROM /m).slice(1);
  const last = stages.at(-1) ?? '';

  test('copies only files that exist and that .dockerignore lets through', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8');
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    expect(copied).toContain('tsconfig.build.json');
    for (const path of copied) {
      expect(existsSync(join(root, path))).toBe(true);
      expect(ignored).toContain(`!${path.split('/')[0]}\n`);
    }
  });

  test("runs the package's program as an ordinary user, and contains no sources", () => {
    const { bin } = z
      .object({ bin: z.object({ steadfast: z.string() }) })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    expect(last).toContain(`ENTRYPOINT ["node", "/app/${bin.steadfast}"]`);
    expect(last).toMatch(/^USER node$/m);
    expect(last).not.toMatch(/^COPY (?!--from).*\b(src|workflows|activities|tsconfig)/m);
    const bundles = [...(stages[0] ?? '').matchAll(/ bundle (--private )?([\w-]+\.js)/g)];
    const [usual = '', ofPrivate = ''] = bundles.map(([, , file]) => file);
    expect(bundles.map(([, flag]) => flag)).toEqual([undefined, '--private ']);
    expect(last).toContain(`STEADFAST_WORKFLOW_BUNDLE=/app/${usual}`);
    expect(last).toContain(`COPY --from=build /app/${usual} /app/${ofPrivate} ./`);
    for (const name of ['worker-1', 'worker-2']) {
      expect(environmentOf(name).STEADFAST_WORKFLOW_BUNDLE).toBe(`/app/${ofPrivate}`);
    }
  });

  test('is built with one version of Node, which the package supports', () => {
    const versions = new Set(stages.map((stage) => /^node:([\d.]+)-/.exec(stage)?.[1]));
    expect([...versions]).toEqual(['20.19']);
  });
});
