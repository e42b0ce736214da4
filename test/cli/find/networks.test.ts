import { isAddress } from 'viem';
import { chained } from '../../../src/books/receipt';
import { pageOf } from '../../../src/cli/receipt/page';
import { networks } from '../../../src/custody/networks/networks';
import { newReceipt } from '../../books/archive/stores';
import { runCli } from '../runCli';

test('networks tells the table, to people and to programs', async () => {
  const { code, stdout, stderr } = await runCli(['networks']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ARC-TESTNET · test network\n +chain id +5042002\n/);
  expect(stdout).toMatch(/\n {2}USDC +0x36\w+, 6 decimals, the native coin itself\n/);
  expect(stdout).toMatch(/\n {2}base fee +20 gwei at least\n {2}blocks +one each 0.5 s\n/);
  expect(stdout).toMatch(/\nARC · main network, money is real\n/);
  expect(stdout).toMatch(/\n {2}faucet +none\n/);
  const asJson = await runCli(['networks', '--json']);
  const told = JSON.parse(asJson.stdout);
  expect(told.map(({ name }: { name: string }) => name)).toEqual(Object.keys(networks));
  expect(told[1]).toMatchObject({ chainId: 5042, baseFeeMin: '20000000000', faucet: null });
});

test.each(Object.entries(networks))(
  'the addresses of %s have their checksums',
  (_name, network) => {
    const { tokens, callsFrom, cctp } = network;
    const { tokenMessenger, messageTransmitter } = cctp;
    const listed = tokens.map(({ address }) => address).filter((address) => address !== '');
    const all = [...listed, ...Object.values(callsFrom), tokenMessenger, messageTransmitter];
    expect(all.filter((address) => !isAddress(address))).toEqual([]);
  },
);

test.each([
  ['https://api.circle.com/v1/w3s', true],
  ['http://127.0.0.1:4010/v1/w3s', false],
  ['https://localhost:4010/v1/w3s', false],
  ['http://sandbox:4010/v1/w3s', false],
])('the page of a receipt of %s names the explorer: %p', (service, isNamed) => {
  const txHash = `0x${'ab'.repeat(32)}`;
  const chain = { blockchain: 'ARC', chainId: 5042, txHash };
  const page = pageOf([chained({ ...newReceipt(), service, chain }, undefined)], () => undefined);
  expect(page.includes(`https://explorer.arc.io/tx/${txHash}`)).toBe(isNamed);
});
