import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { sandboxCommand } from './sandbox';

/** Adds the programs that run until Ctrl-C, and the command that prepares the worker. */
export function processCommands(program: Command, env: NodeJS.ProcessEnv): void {
  program
    .command('dev')
    .description(
      'run Temporal, the sandbox, a worker, the receiver of notices and the console, until Ctrl-C',
    )
    .option('--policy <file>', 'the rules that its worker keeps to')
    .action(async ({ policy }: { policy?: string }) => {
      const { runDev }: typeof import('../dev/runDev') = require('../dev/runDev');
      process.exitCode = await runDev(policy);
    });
  sandboxCommand(program);
  program
    .command('codec')
    .description(
      'decode private payloads for Temporal UI and CLI (STEADFAST_CODEC_*), until Ctrl-C',
    )
    .action(async () => {
      const server: typeof import('../../client/privacy/runCodecServer') =
        require('../../client/privacy/runCodecServer');
      await server.runCodecServer();
    });
  program
    .command('worker')
    .description('run the worker (TEMPORAL_*, CUSTODY_* variables), until Ctrl-C')
    .option('--role <roles...>', 'only a part of its work: workflows, reads, writes')
    .action(async ({ role }: { role?: readonly string[] }) => {
      checkWorker(role, env);
      const { runWorker }: typeof import('../../worker/runWorker') =
        require('../../worker/runWorker');
      await runWorker(role);
    });
  program
    .command('bundle')
    .argument('<file>')
    .description('write the workflows into one file, for STEADFAST_WORKFLOW_BUNDLE of workers')
    .option('--private', 'for workers whose payloads are private (STEADFAST_CODEC_KEYS)')
    .action(async (file: string, flags: { private?: boolean }) => {
      const { buildWorkflows }: typeof import('../../worker/worker') =
        require('../../worker/worker');
      const { code } = await buildWorkflows({ isPrivate: flags.private === true });
      await mkdir(dirname(resolve(file)), { recursive: true });
      await writeFile(file, code);
    });
}

type Codec = typeof import('../../client/privacy/config');

/** Refuses a wrong environment before the worker is loaded, which is slow. */
function checkWorker(role: readonly string[] | undefined, env: NodeJS.ProcessEnv): void {
  const config: typeof import('../../config') = require('../../config');
  const own: typeof import('../../worker/workerConfig') = require('../../worker/workerConfig');
  const codec: Codec = require('../../client/privacy/config');
  const { refuseTogether }: typeof import('../../variables') = require('../../variables');
  const roles = own.readRoles(role, env);
  refuseTogether([
    () => config.readTemporalConfig(env),
    () => own.readWorkerConfig(role, env),
    () => own.readServiceConfig(roles, env),
    () => own.readLimits(env),
    () => codec.readCodecKeys(env),
    () => roles.includes('writes') && checkPolicy(config.networkNamed(env), env),
  ]);
}

/** Refuses a policy that a main network cannot use, before anything else is reached. */
function checkPolicy(blockchain: string, { STEADFAST_POLICY_FILE: path = '' }: NodeJS.ProcessEnv) {
  const { isMainNetwork }: typeof import('../../custody/networks/demands') =
    require('../../custody/networks/demands');
  if (!isMainNetwork(blockchain) || !existsSync(path)) return;
  const file: typeof import('../../writer/file/readPolicy') =
    require('../../writer/file/readPolicy');
  const own: typeof import('../../worker/refuseUnsigned') = require('../../worker/refuseUnsigned');
  own.refuseUnsigned(file.readPolicyFile(path, { blockchain }), blockchain);
}
