import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import entryPoint from '@account-abstraction/contracts/artifacts/EntryPoint.json';
import paymaster from '@account-abstraction/contracts/artifacts/VerifyingPaymaster.json';
import airdrop from '@thirdweb-dev/contracts/abi/Airdrop.json';
import tokenErc20 from '@thirdweb-dev/contracts/abi/TokenERC20.json';
import tokenErc721 from '@thirdweb-dev/contracts/abi/TokenERC721.json';
import tokenErc1155 from '@thirdweb-dev/contracts/abi/TokenERC1155.json';
import { type Abi, type Hex, isHex } from 'viem';
import { z } from 'zod';
import { compileContracts, compilerSettings } from './compile';
import {
  contractSources,
  importedSources,
  packageFolder,
  readSource,
  sourcePackages,
} from './sources';

const abiSchema = z.custom<Abi>((value) => Array.isArray(value));
const hexSchema = z.custom<Hex>((value) => isHex(value) && value.length > 2);

/** The facts of a contract that is not deployed yet. */
const artifactSchema = z.object({
  abi: abiSchema,
  bytecode: hexSchema,
  deployedBytecode: hexSchema,
});
type Artifact = z.output<typeof artifactSchema>;

const compiledSchema = z.object({
  CodeDeployer: artifactSchema,
  Memo: artifactSchema,
  Multicall3: artifactSchema,
  Multicall3From: artifactSchema,
  NativeLogger: artifactSchema,
  NativeStablecoin: artifactSchema,
  Permit2: artifactSchema,
  SmartAccount: artifactSchema,
  SmartAccountFactory: artifactSchema,
  ERC1967Proxy: artifactSchema,
  Stablecoin: artifactSchema,
  TemplateFactory: artifactSchema,
});

/** Every contract of the chain by its name. */
export type Artifacts = z.output<typeof compiledSchema> & typeof precompiled;

/** The contracts behind the templates. Their package ships them compiled. */
export const templates = {
  TokenERC20: templateOf(tokenErc20),
  TokenERC721: templateOf(tokenErc721),
  TokenERC1155: templateOf(tokenErc1155),
  Airdrop: templateOf(airdrop),
};

/** A template by the name of the contract that it is a clone of. */
export type TemplateName = keyof typeof templates;

/** Everything that its package ships compiled: the ERC-4337 contracts, and the templates. */
export const precompiled = {
  EntryPoint: artifactSchema.parse(entryPoint),
  VerifyingPaymaster: artifactSchema.parse(paymaster),
  ...templates,
};

function templateOf(shipped: {
  abi: unknown;
  bytecode: { object: string };
  deployedBytecode: { object: string };
}): Artifact {
  return artifactSchema.parse({
    abi: shipped.abi,
    bytecode: shipped.bytecode.object,
    deployedBytecode: shipped.deployedBytecode.object,
  });
}

/** All contracts: compiled now, or read from the cache if nothing has changed. */
export async function loadArtifacts(cacheFolder: string): Promise<Artifacts> {
  const file = join(cacheFolder, `contracts-${await sourcesHash()}.json`);
  const cached = await readCache(file);
  if (cached !== undefined) return { ...cached, ...precompiled };
  const compiled = compiledSchema.parse(await compileContracts());
  await writeCache(file, JSON.stringify(compiled));
  return { ...compiled, ...precompiled };
}

/** The code of Arc's precompiles here: PUSH0, PUSH0, REVERT. */
export const revertingCode = '0x5f5ffd';

/** Tells contracts with other code apart. What stands on a chain follows from that code. */
export function codeHash(artifacts: Artifacts): string {
  const codes = Object.entries(artifacts).map(([name, { bytecode }]) => [name, bytecode]);
  const all = [...codes.toSorted(), revertingCode];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}

/** A cache that is missing, cut off or of another shape is no error: it is compiled again. */
async function readCache(file: string): Promise<z.output<typeof compiledSchema> | undefined> {
  try {
    return compiledSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Written aside and renamed, so that a reader never meets half a file. */
async function writeCache(file: string, text: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, text);
  await rename(aside, file);
}

async function sourcesHash(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([compilerSettings, contractSources]));
  for (const name of ['solc', ...sourcePackages]) {
    hash.update(`${name}@${await packageVersion(name)}\n`);
  }
  for (const { source } of contractSources) hash.update(readSource(source));
  for (const source of importedSources) hash.update(readSource(source));
  return hash.digest('hex').slice(0, 32);
}

async function packageVersion(name: string): Promise<string> {
  const text = await readFile(join(packageFolder(name), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
