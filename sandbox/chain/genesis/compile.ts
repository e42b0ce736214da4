import { z } from 'zod';
import { contractSources, readSource } from './sources';

/** The options of the compiler. */
export const compilerSettings = {
  optimizer: { enabled: true, runs: 20 },
  // Runs on every node, also on one that does not know the newest opcodes.
  evmVersion: 'paris',
};

const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

const contractSchema = z.object({
  abi: z.array(z.unknown()),
  evm: z.object({
    bytecode: z.object({ object: z.string() }),
    deployedBytecode: z.object({ object: z.string() }),
  }),
});

/** Compiles every listed contract. The compiler takes long to load, so it is loaded only here. */
export async function compileContracts(): Promise<Record<string, unknown>> {
  const solc = await loadCompiler();
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      contractSources.map(({ source }) => [source, { content: readSource(source) }]),
    ),
    settings: { ...compilerSettings, outputSelection },
  };
  const text: string = solc.compile(JSON.stringify(input), { import: readImport });
  const output = outputSchema.parse(JSON.parse(text));
  const errors = output.errors.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const facts = errors.map(({ formattedMessage }) => formattedMessage).join('\n');
    throw new Error(`The contracts of the sandbox do not compile.\n${facts}`);
  }
  return Object.fromEntries(
    contractSources.map(({ source, name }) => {
      const { abi, evm } = contractSchema.parse(output.contracts[source]?.[name]);
      const bytecode = `0x${evm.bytecode.object}`;
      return [name, { abi, bytecode, deployedBytecode: `0x${evm.deployedBytecode.object}` }];
    }),
  );
}

/** The compiler makes every unhandled rejection of the process its own business. That is undone. */
async function loadCompiler(): Promise<typeof import('solc')> {
  const before = process.listeners('unhandledRejection');
  const { default: solc } = await import('solc');
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener);
  }
  return solc;
}

// Only what is asked for is generated: most of the sources are bases that nobody deploys.
const outputSelection = Object.fromEntries(
  contractSources.map(({ source, name }) => [
    source,
    { [name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
  ]),
);

function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readSource(path) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
