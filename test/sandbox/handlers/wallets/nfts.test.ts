import { randomUUID } from 'node:crypto';
import type { AbiParameter } from '../../../../src/custody/endpoints';
import type { Nft } from '../../../../src/custody/objects/token';
import type { Wallet } from '../../../../src/custody/objects/wallet';
import { deployTemplate } from '../../../support/chain/deployments';
import { newFolder, setUp } from '../../../support/jest/setUp';
import { type Exchange, inSandbox } from '../../../support/sandbox';

const secrets = { apiKey: 'TEST_API_KEY:items:secret', entitySecret: '17e5'.repeat(16) };

let items: string;
const sandbox = inSandbox({ dataDir: newFolder(), ...secrets });
const sender = setUp(() => sandbox.fundedWallet());
beforeAll(async () => {
  items = (await deployTemplate(sandbox.client, sender, { family: 'uniqueItem' })).address;
  for (const uri of ['ipfs://0', 'ipfs://1', 'ipfs://2']) {
    await call('mintTo(address,string)', [sender.address, uri]);
  }
});

describe('the items of a wallet', () => {
  it('are those of the chain, also once some have been sent on and others burnt', async () => {
    const receiver = await sandbox.wallet();
    expect(await heldBy(receiver)).toEqual([]);
    const fields = { tokenAddress: items, nftTokenIds: ['1'] };
    expect(await sandbox.pay(sender, receiver.address, fields)).toMatchObject({
      state: 'COMPLETE',
    });
    expect(await heldBy(receiver)).toEqual(['1']);
    expect(await heldBy(sender)).toEqual(['0', '2']);
    await call('burn(uint256)', ['0']);
    expect(await heldBy(sender)).toEqual(['2']);
  });

  it('are the same when the sandbox has been started again', async () => {
    await sandbox.restart();
    expect(await heldBy(sender)).toEqual(['2']);
  });

  it('go on where the link says', async () => {
    await call('mintTo(address,string)', [sender.address, 'ipfs://3']);
    const first = await sandbox.request('GET', `wallets/${sender.id}/nfts?pageSize=1`);
    const link = first.headers.get('link') ?? '';
    expect(idsOf(first)).toEqual(['2']);
    const second = await sandbox.request('GET', /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '');
    expect(idsOf(second)).toEqual(['3']);
    expect(second.headers.get('link')).not.toContain('rel="next"');
  });

  it.each([
    ['a wallet that is not there', () => randomUUID(), '', 404, 156001],
    ['a standard that is none', () => sender.id, '?standard=ERC20000', 400, 155240],
    ['a token address that is none', () => sender.id, '?tokenAddress=0x1', 400, 155239],
    ['a cursor that is none', () => sender.id, `?pageAfter=${randomUUID()}`, 404, 156012],
  ])('are refused for %s', async (_what, id, query, status, code) => {
    const answer = await sandbox.request('GET', `wallets/${id()}/nfts${query}`);
    expect(answer).toMatchObject({ status, body: { code } });
  });
});

describe('wallets with their balances', () => {
  it.each([
    ['no chain', '', 2],
    ['a chain that is not served', 'blockchain=ETH-SEPOLIA', 156027],
    ['an amount that is none', 'blockchain=ARC-TESTNET&amount__gte=-1', 2],
    ['a token address that is none', 'blockchain=ARC-TESTNET&tokenAddress=0x1', 155239],
  ])('are refused for %s', async (_what, query, code) => {
    const answer = await sandbox.request('GET', `developer/wallets/balances?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });

  it('are none where nobody holds that much, or where the token is none', async () => {
    const ask = async (query: string) => {
      const url = `developer/wallets/balances?blockchain=ARC-TESTNET&${query}`;
      return (await sandbox.request('GET', url)).body;
    };
    expect(await ask('amount__gte=1000000')).toEqual({ data: { wallets: [] } });
    const nowhere = `tokenAddress=0x${'5'.repeat(40)}`;
    expect(await ask(`amount__gte=0&${nowhere}`)).toEqual({ data: { wallets: [] } });
    // The native coin is shown all the same where no amount is asked for.
    expect(await ask(`${nowhere}&address=${sender.address}`)).toMatchObject({
      data: { wallets: [{ id: sender.id, tokenBalances: [{ token: { isNative: true } }] }] },
    });
  });
});

async function heldBy({ id }: Wallet): Promise<(string | undefined)[]> {
  const { nfts } = await sandbox.client.listNfts({ id });
  return nfts.map(({ nftTokenId }) => nftTokenId);
}

function idsOf({ body }: Exchange): (string | undefined)[] {
  const { data } = body as { data: { nfts: Nft[] } };
  return data.nfts.map(({ nftTokenId }) => nftTokenId);
}

async function call(signature: string, parameters: AbiParameter[]): Promise<void> {
  expect(await sandbox.call(sender, { to: items, signature, parameters })).toMatchObject({
    state: 'COMPLETE',
  });
}
