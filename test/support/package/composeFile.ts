import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const composeText = readFileSync(
  join(__dirname, '..', '..', '..', 'docker-compose.yml'),
  'utf8',
);

const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.string(),
});
export const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  configs: z.record(z.string(), z.unknown()),
});

/** The variables that a user of the file must set. */
export const given: Record<string, string> = {
  POSTGRES_PASSWORD: 'a-password',
  CUSTODY_API_KEY: `TEST_API_KEY:${'a'.repeat(32)}:${'b'.repeat(32)}`,
  CUSTODY_ENTITY_SECRET: 'c'.repeat(64),
  CUSTODY_PUBLIC_KEY_SHA256: 'e'.repeat(64),
  STEADFAST_CODEC_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  STEADFAST_CODEC_TOKEN: 'd'.repeat(32),
  GRAFANA_PASSWORD: 'another-password',
};

/** Fills in variables as Compose does, in those forms that the file uses. */
export function filledIn(source: string, variables: Record<string, string>): string {
  return source.replaceAll(
    /\$\{(\w+)(:[?-])([^}]*)\}/g,
    (...[, name = '', operator, rest]: string[]) => {
      const value = variables[name];
      if (value !== undefined) return value;
      if (operator === ':-') return rest ?? '';
      throw new Error(rest);
    },
  );
}

/** The file as Compose reads it when all variables are set. */
export function readComposeFile(text = composeText): z.output<typeof composeFile> {
  return composeFile.parse(parse(filledIn(text, given), { merge: true }));
}
