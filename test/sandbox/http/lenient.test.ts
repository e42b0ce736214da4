import { randomUUID } from 'node:crypto';
import { encryptEntitySecret, readPublicKey } from '../../../src/custody/entitySecret';
import { setUp } from '../../support/jest/setUp';
import { blockchain, type Exchange, inSandbox, transferOf } from '../../support/sandbox';
import { someone } from '../../support/stages';

const transfer = 'developer/transactions/transfer';
const execution = 'developer/transactions/contractExecution';

const sandbox = inSandbox();
const eoa = setUp(() => sandbox.fundedWallet('EOA'));

const idIn = ({ body }: Exchange) => (body as { data: { id: string } }).data.id;

/** The names that the answer and the list of calls tell of a call. */
async function told({ headers }: Exchange): Promise<[header: string | null, call: unknown]> {
  const { body } = await sandbox.request('GET', '/_sandbox/calls', { headers: {} });
  const calls = (body as { calls: { ignored?: string[] }[] }).calls;
  return [headers.get('x-ignored-fields'), calls.at(-1)?.ignored];
}

/** Source: @circle-fin/usdckit 0.25.1 sends `sourceAddress` beside `walletId`. */
it('ignores a field that an endpoint does not have, and tells its name', async () => {
  const answer = await sandbox.signed(execution, {
    idempotencyKey: randomUUID(),
    sourceAddress: eoa.address,
    blockchain,
    walletId: eoa.id,
    contractAddress: someone(),
    callData: '0x12345678',
    feeLevel: 'HIGH',
  });
  expect(answer.status).toBe(201);
  expect(await told(answer)).toEqual(['sourceAddress', ['sourceAddress']]);
});

it('ignores what stands in a wrong place: a query of a POST, the id of the path', async () => {
  const named = { idempotencyKey: randomUUID(), name: 'x', description: 'y' };
  const set = await sandbox.signed('developer/walletSets?limit=1', named);
  expect(set.status).toBe(201);
  expect(await told(set)).toEqual(['limit, description', ['limit', 'description']]);
  const wallets = await sandbox.request('GET', 'wallets?colour=blue');
  expect(wallets.status).toBe(200);
  expect(await told(wallets)).toEqual(['colour', ['colour']]);
});

it('ignores an unknown field within another one', async () => {
  const answer = await sandbox.signed('developer/wallets', {
    idempotencyKey: randomUUID(),
    walletSetId: eoa.walletSetId,
    blockchains: [blockchain],
    metadata: [{ name: 'a', colour: 'blue' }],
  });
  expect(answer.status).toBe(201);
  expect(await told(answer)).toEqual(['metadata.0.colour', ['metadata.0.colour']]);
});

it('ignores thousands of unknown fields in time, at any depth', async () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]));
  const beganAtMs = performance.now();
  const answer = await sandbox.signed('developer/wallets', {
    ...many,
    idempotencyKey: randomUUID(),
    walletSetId: eoa.walletSetId,
    blockchains: [blockchain],
    metadata: [{ name: 'a', ...many }],
  });
  expect(answer.status).toBe(201);
  expect(performance.now() - beganAtMs).toBeLessThan(2_000);
  const [, ignored] = await told(answer);
  expect(ignored).toHaveLength(50);
});

it('tells nothing of a call whose fields are all known', async () => {
  const answer = await sandbox.request('GET', 'wallets');
  expect(await told(answer)).toEqual([null, undefined]);
});

/** Source: inf-circle-sdk 0.2.6 sends `walletAddress: null` with every transfer. */
it('reads null as absent', async () => {
  const order = { ...transferOf(eoa, someone()), walletAddress: null, refId: null };
  expect((await sandbox.signed(transfer, order)).status).toBe(201);
});

/** Source: two unrelated clients write `entitySecretCipherText`. */
it('knows the fields of a body in any case of letters', async () => {
  const { walletId, ...order } = transferOf(eoa, someone());
  const { publicKey } = await sandbox.client.getPublicKey({});
  expect(publicKey).toContain('BEGIN');
  const answer = await sandbox.signed(transfer, { ...order, WalletID: walletId });
  expect(answer.status).toBe(201);
  expect((await sandbox.settled(idIn(answer))).walletId).toBe(eoa.id);
});

it('knows the ciphertext by the name that those clients give it', async () => {
  const { publicKey } = await sandbox.client.getPublicKey({});
  const { entitySecret } = sandbox.secrets;
  const answer = await sandbox.request('POST', 'developer/walletSets', {
    body: {
      idempotencyKey: randomUUID(),
      name: 'x',
      entitySecretCipherText: encryptEntitySecret(entitySecret, readPublicKey(publicKey)),
    },
  });
  expect(answer.status).toBe(201);
});

/** Source: archimedes #1325, where the hosted service answers so. */
it('names the fields that are missing where wallets are wanted by a blockchain alone', async () => {
  const order = { idempotencyKey: randomUUID(), blockchain };
  const { status, body } = await sandbox.signed('developer/wallets', order);
  const { code, errors } = body as { code: number; errors: { location: string }[] };
  expect({ status, code }).toEqual({ status: 400, code: 2 });
  expect(errors.map(({ location }) => location)).toEqual(['walletSetId', 'blockchains']);
});

/** Source: the hosted OpenAPI has `count` optional, and inf-circle-sdk leaves it out. */
it('makes one wallet where no count is given', async () => {
  const { body } = await sandbox.signed('developer/wallets', {
    idempotencyKey: randomUUID(),
    walletSetId: eoa.walletSetId,
    blockchains: [blockchain],
  });
  expect((body as { data: { wallets: object[] } }).data.wallets).toHaveLength(1);
});

/** Source: inf-circle-sdk and others send the native coin by wallet and blockchain. */
it('sends the native coin where a wallet and its blockchain are given, and no token', async () => {
  const to = someone();
  const order = transferOf(eoa, to, { tokenAddress: undefined, blockchain, amounts: ['0.01'] });
  const answer = await sandbox.signed(transfer, order);
  expect(answer.status).toBe(201);
  expect(await sandbox.settled(idIn(answer))).toMatchObject({ state: 'COMPLETE' });
  const { body } = await sandbox.request('POST', '/_sandbox/rpc', {
    headers: {},
    body: { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [to, 'latest'] },
  });
  expect(BigInt((body as { result: string }).result)).toBe(10n ** 16n);
});
