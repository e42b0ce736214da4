import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isHex, size } from 'viem';
import { loadArtifacts } from '../../../../sandbox/chain/genesis/artifacts';

describe('loadArtifacts', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steadfast-artifacts-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const cacheFile = async (): Promise<string> => {
    const names = await readdir(folder);
    expect(names).toEqual([expect.stringMatching(/^contracts-[0-9a-f]{32}\.json$/)]);
    return join(folder, names[0] ?? '');
  };

  it('compiles once and takes the result from its cache afterwards', async () => {
    const listeners = process.listeners('unhandledRejection');
    const compiled = await loadArtifacts(folder);
    // The compiler's own listener must not stay.
    expect(process.listeners('unhandledRejection')).toEqual(listeners);
    const file = await cacheFile();
    const { mtimeMs } = await stat(file);
    expect(await loadArtifacts(folder)).toEqual(compiled);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
    // No compiler makes a token without functions: it is the cache that was read.
    const text = await readFile(file, 'utf8');
    const cached = JSON.parse(text);
    await writeFile(
      file,
      JSON.stringify({ ...cached, Stablecoin: { ...cached.Stablecoin, abi: [] } }),
    );
    expect((await loadArtifacts(folder)).Stablecoin.abi).toEqual([]);
    await writeFile(file, text);
  });

  it('compiles again, to the same code, when the cache is cut off', async () => {
    const compiled = await loadArtifacts(folder);
    const file = await cacheFile();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.slice(0, 1000));
    expect(await loadArtifacts(folder)).toEqual(compiled);
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it.each(['TokenERC20', 'TokenERC721', 'TokenERC1155', 'Airdrop'] as const)(
    'has %s as its package ships it, in a size that a chain takes',
    async (name) => {
      const { bytecode, deployedBytecode } = (await loadArtifacts(folder))[name];
      expect(isHex(bytecode) && isHex(deployedBytecode)).toBe(true);
      expect(size(deployedBytecode)).toBeLessThanOrEqual(24_576);
    },
  );
});
