import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { z } from 'zod';
import { createProgram } from '../src/cli/program';
import { readCustodyConfig, readTemporalConfig } from '../src/config';
import { attributeNames } from '../src/orders/status';
import { readSandboxConfig } from '../src/sandbox/config';

const root = join(__dirname, '..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');

const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.unknown().optional(),
  restart: z.string(),
});
const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  configs: z.record(z.string(), z.unknown()),
});

const given: Record<string, string> = {
  POSTGRES_PASSWORD: 'a-password',
  CUSTODY_API_KEY: `TEST_API_KEY:${'a'.repeat(32)}:${'b'.repeat(32)}`,
  CUSTODY_ENTITY_SECRET: 'c'.repeat(64),
};

/** As Compose fills in variables; of its forms, those that the file uses. */
function filledIn(source: string, variables: Record<string, string>): string {
  return source.replaceAll(/\$\{(\w+)(:[?-])([^}]*)\}/g, (_, name, operator, rest) => {
    const value = variables[name];
    if (value !== undefined) return value;
    if (operator === ':-') return rest;
    throw new Error(rest);
  });
}

const { services, volumes, configs } = composeFile.parse(
  parse(filledIn(text, given), { merge: true }),
);
const all = Object.entries(services);

function environmentOf(name: string): Record<string, string> {
  return services[name]?.environment ?? {};
}

/** The faults that the Compose Specification's own schema finds. */
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
  test('is what the Compose Specification allows', () => {
    expect(faults(parse(filledIn(text, given), { merge: true }))).toEqual([]);
  });

  test.each([
    ['    healthcheck:', '    healthchek:'],
    ['condition: service_healthy', 'condition: healthy'],
    ['restart: unless-stopped', 'restart: [always]'],
    ['interval: 5s', 'intervall: 5s'],
  ])('would be refused with a mistake: %s written as %s', (right, wrong) => {
    const mistaken = filledIn(text, given).replace(right, wrong);
    expect(faults(parse(mistaken, { merge: true }))).not.toEqual([]);
  });

  test.each(Object.keys(given))('says what to do when %s is not given', (name) => {
    const { [name]: _, ...others } = given;
    expect(() => filledIn(text, others)).toThrow(new RegExp(`^Set ${name} to .+\\.$`));
  });

  test('has no password or key of its own', () => {
    const secrets = all.flatMap(([, { environment }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD|KEY|SECRET/.test(name)),
    );
    expect(secrets).toHaveLength(6);
    for (const [, value] of secrets) expect(Object.values(given)).toContain(value);
  });

  test('names every image with its exact version', () => {
    const images = new Set(all.map(([, { image }]) => image));
    for (const image of images) expect(image).toMatch(/^[\w/-]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
  });

  test('is reachable from this machine only, at the usual ports', () => {
    const ports = all.flatMap(([, { ports }]) => ports);
    expect(ports).toEqual(['127.0.0.1:7233:7233', '127.0.0.1:8233:8080', '127.0.0.1:4010:4010']);
  });

  test('waits for nothing that cannot tell whether it is ready', () => {
    for (const [, { depends_on }] of all) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const target = services[name];
        const ends = condition === 'service_completed_successfully';
        expect(ends ? target?.restart : target?.healthcheck).toBeDefined();
        expect(ends ? target?.restart : 'on-failure').toMatch(/^on-failure/);
      }
    }
  });

  test('keeps what must outlive a container in volumes that it names', () => {
    const used = all.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(':')[0]));
    expect(used).toEqual(Object.keys(volumes));
  });
});

describe('the programs in docker-compose.yml', () => {
  test('are commands of ours', () => {
    const known = createProgram(() => {}).commands.map((command) => command.name());
    expect(known).toEqual(expect.arrayContaining(services.sandbox?.command ?? ['missing']));
    expect(known).toEqual(expect.arrayContaining(services.worker?.command ?? ['missing']));
  });

  test('are given variables that they know', () => {
    const sources = ['src/config.ts', 'src/sandbox/config.ts'].map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    const names = [
      ...Object.keys(environmentOf('sandbox')),
      ...Object.keys(environmentOf('worker')),
    ];
    const unknown = names.filter((name) => !sources.some((source) => source.includes(name)));
    // Temporal's own library reads these.
    expect(unknown).toEqual(['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE']);
  });

  test('share their keys and find each other', () => {
    const sandbox = readSandboxConfig(environmentOf('sandbox'));
    const custody = readCustodyConfig(environmentOf('worker'));
    const temporal = readTemporalConfig(environmentOf('worker'));
    expect(custody.baseUrl).toBe(`http://sandbox:${sandbox.port}/v1/w3s`);
    expect([custody.apiKey, custody.entitySecret]).toEqual([sandbox.apiKey, sandbox.entitySecret]);
    expect(sandbox).toMatchObject({ host: '0.0.0.0', dataDir: '/data' });
    expect(temporal.connection.address).toBe('temporal:7233');
  });

  test('have a Temporal that lets orders overtake payouts', () => {
    const { content } = z.object({ content: z.string() }).parse(configs.temporal);
    expect(parse(content)).toEqual({ 'matching.useNewMatcher': [{ value: true }] });
    const { DYNAMIC_CONFIG_FILE_PATH: path } = environmentOf('temporal');
    const [mounted] = z.array(z.object({ target: z.string() })).parse(services.temporal?.configs);
    expect(mounted?.target).toBe(`/etc/temporal/${path}`);
  });

  test('find every search attribute that orders carry', () => {
    const words = services['search-attributes']?.entrypoint ?? [];
    const created = words.flatMap((word) => /^--name=(.+)$/.exec(word)?.[1] ?? []);
    expect(created).toEqual([...attributeNames]);
    expect(words.filter((word) => word === '--type=Keyword')).toHaveLength(created.length);
  });
});
