import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress } from 'viem';
import { withUsualParameters } from '../../../src/custody/abi/usualParameters';
import { WithheldError } from '../../../src/custody/errors';
import type { KeyParts } from '../../../src/custody/idempotencyKey';
import { codeOf, walletLabels } from '../../../src/custody/reference';
import type { Signed } from '../../../src/orders/input/signed';
import { type OrderKind, readOrderOf } from '../../../src/orders/kinds';
import { serviceClock } from '../../../src/writer/clock';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { blockchain, settled, usdc } from '../../support/sandbox';
import { asOf, limitOf, partsOf, payee, stranger, writerOf } from '../writer';
import { type Ordered, send, signedOrders } from './signedOrders';

const hourMs = 3_600_000;
const office = signedOrders();

/** An order of any kind, signed by the backend. */
async function signed(order: object, kind: OrderKind, { workflowId }: KeyParts): Promise<Signed> {
  const place = { entity: office.entity(), namespace: 'default', blockchain };
  const expires = new Date(Date.now() + 60_000);
  const read = readOrderOf(kind, order);
  const statement = requestFor({ ...place, workflowId, kind, order: read, expires });
  return office.keys.backend.sign(textOf(statement), 'request');
}

/** Sends a transfer with a request, and returns why it is not sent. */
async function refusal(order: Ordered, request: Signed | undefined): Promise<string> {
  const error = await send(office.writer().api, order, { request }).then(
    () => new Error('It was sent.'),
    (thrown) => thrown,
  );
  return error instanceof WithheldError && error.next === 'stop' ? error.message : `! ${error}`;
}

describe('an order', () => {
  it('that its owner has signed is paid, in every attempt, also when it expires meanwhile', async () => {
    const { api } = office.writer();
    const order = office.ordered('1.5');
    const expires = new Date(Date.now() + 1_500).toISOString();
    const text = textOf({ ...order.statement, expires });
    const request = await office.keys.backend.sign(text, 'request');
    const { id } = await send(api, order, { request });
    await sleep(1_600);
    expect((await send(api, order, { request })).id).toBe(id);
    await settled(api, id);
    expect(await office.paid()).toEqual([1_500_000n]);
    const other = office.ordered('1');
    const late = await office.keys.backend.sign(textOf({ ...other.statement, expires }), 'request');
    expect(await refusal(other, late)).toContain('The request of backend has expired at');
  });

  it.each<[string, { expires?: Date }]>([
    ['as its request names it', {}],
    ['whatever its request says of its own end', { expires: new Date(Date.now() + hourMs) }],
  ])('is not sent for the first time after it was valid, %s', async (_, { expires }) => {
    const order = office.ordered('1');
    const validUntil = new Date(Date.now() - 1_000).toISOString();
    const read = readOrderOf('transferStablecoin', { ...order.statement.money, validUntil });
    const { workflowId } = order.parts;
    const place = { entity: office.entity(), namespace: 'default', blockchain };
    const later = new Date(Date.now() + 24 * hourMs);
    const asked = { ...place, workflowId, kind: 'transferStablecoin', order: read } as const;
    const statement = requestFor({ ...asked, expires: later });
    expect(statement).toMatchObject({ validUntil, expires: validUntil });
    const text = textOf({ ...statement, ...(expires && { expires: expires.toISOString() }) });
    const request = await office.keys.backend.sign(text, 'request');
    // The activity's input is the caller's, and does not say until when it is valid.
    const words = `Its order was to be sent until ${validUntil}, as backend has signed.`;
    expect(await refusal(order, request)).toContain(words);
    expect(await office.paid()).toEqual([]);
  });

  it('that has expired is not paid by a writer whose clock is put back', async () => {
    const clock = serviceClock(() => Date.now());
    clock.heard(new Date().toUTCString());
    const rules = [limitOf(office.wallet(), { signedBy: 'backends' })];
    const { people, groups } = office;
    const { api } = writerOf(office.sandbox().client, rules, { clock, people, groups });
    const order = office.ordered('1');
    const expires = new Date(Date.now() - hourMs).toISOString();
    const text = textOf({ ...order.statement, expires });
    const request = await office.keys.backend.sign(text, 'request');
    await expect(send(api, order, { request })).rejects.toThrow('has expired at');
    const { now } = Date;
    const putBack = jest.spyOn(Date, 'now').mockImplementation(() => now() - 2 * hourMs);
    try {
      const other = office.ordered('1');
      const late = textOf({ ...other.statement, expires });
      const again = await office.keys.backend.sign(late, 'request');
      const words = /The clock of this machine is 7(200|199) s behind/;
      await expect(send(api, other, { request: again })).rejects.toThrow(words);
    } finally {
      putBack.mockRestore();
    }
    expect(await office.paid()).toEqual([]);
  });

  it('of a call or a deployment is sent as it was signed, and in no other way', async () => {
    const { api } = office.writer();
    const sandbox = office.sandbox();
    const wallet = office.wallet();
    const parts = partsOf('execute');
    const { identity, how } = asOf(parts);
    const call = {
      contractAddress: usdc,
      abiFunctionSignature: 'transfer(address,uint256)',
      abiParameters: [payee, '1000000'],
    };
    const request = await signed({ ...call, walletId: wallet.id }, 'executeContract', parts);
    const send = (fields: object) =>
      api.executeContract(
        { ...identity, walletId: wallet.id, ...call, ...fields },
        { ...how, authority: { request } },
      );
    for (const fields of [
      { abiParameters: [payee, '1000001'] },
      { abiParameters: [stranger, '1000000'] },
      { amount: '1' },
    ]) {
      await expect(send(fields)).rejects.toThrow('The order that was signed makes another call');
    }
    await sandbox.settled((await send({})).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('of a call has its texts letter by letter, and its addresses in any letters', async () => {
    const named = [{ contract: stranger, function: 'note(string,address)' }];
    const { api } = office.writer(undefined, undefined, { calls: named });
    const wallet = office.wallet();
    const parts = partsOf('execute');
    const { identity, how } = asOf(parts);
    const text = `https://meta.example/${getAddress(wallet.address)}.json`;
    const call = {
      contractAddress: stranger,
      abiFunctionSignature: 'note(string,address)',
      abiParameters: [text, getAddress(payee)],
    };
    const request = await signed({ ...call, walletId: wallet.id }, 'executeContract', parts);
    const send = (...abiParameters: string[]) =>
      api.executeContract(
        { ...identity, walletId: wallet.id, ...call, abiParameters },
        { ...how, authority: { request } },
      );
    const changed = send(text.toLowerCase(), payee.toLowerCase());
    await expect(changed).rejects.toThrow('The order that was signed makes another call');
    expect((await send(text, payee.toLowerCase())).id).toBeDefined();
  });

  it('of a deployment is sent with the signed name and parameters, and no others', async () => {
    const { api } = office.writer();
    const wallet = office.wallet();
    const parts = partsOf('deploy');
    const { identity, how } = asOf(parts);
    const order = { walletId: wallet.id, name: 'Ours', parameters: { name: 'Token' } };
    const request = await signed(order, 'deployContract', parts);
    const { template } = readOrderOf('deployContract', order) as { template: string };
    const usual = withUsualParameters(template, wallet.address, { name: 'Token' });
    const deploy = (fields: object, name = 'Ours') =>
      api.deployTemplate(
        {
          ...identity,
          id: template,
          name,
          walletId: wallet.id,
          blockchain,
          templateParameters: { ...usual, ...fields },
        },
        { ...how, authority: { request } },
      );
    await expect(deploy({ name: 'Theirs' })).rejects.toThrow('deploys with other parameters');
    await expect(deploy({ defaultAdmin: payee })).rejects.toThrow('deploys with other parameters');
    await expect(deploy({}, 'Theirs')).rejects.toThrow('signed deploys "Ours", not "Theirs".');
    expect((await deploy({})).transactionId).toBeDefined();
  });

  it('of wallets makes the set and the wallets that were signed, and no others', async () => {
    const { api } = office.writer();
    const setParts = partsOf('walletSet');
    const parts = { ...setParts, step: 'wallets' };
    const order = { name: 'Tills', count: 2, accountType: 'EOA' };
    const request = await signed(order, 'provisionWallets', setParts);
    const set = (name: string) => {
      const { identity, how } = asOf(setParts);
      const { idempotencyKey } = identity;
      const input = { idempotencyKey, name: `${name} ${codeOf(setParts)}` };
      return api.createWalletSet(input, { ...how, authority: { request } });
    };
    await expect(set('Treasury')).rejects.toThrow(/names the wallet set "Tills .*, not "Treasury/);
    const { walletSet } = await set('Tills');
    const { identity, how } = asOf(parts);
    const { idempotencyKey, refId } = identity;
    const wallets = (count: number, accountType: 'EOA' | 'SCA', labels = walletLabels(2, refId)) =>
      api.createWallets(
        {
          idempotencyKey,
          walletSetId: walletSet.id,
          blockchains: [blockchain],
          count,
          accountType,
          metadata: labels,
        },
        { ...how, authority: { request } },
      );
    await expect(wallets(3, 'EOA')).rejects.toThrow('creates 2 EOA wallets, not 3 EOA wallets.');
    await expect(wallets(2, 'SCA')).rejects.toThrow('creates 2 EOA wallets, not 2 SCA wallets.');
    const named = walletLabels(2, refId).map((label) => ({ ...label, name: 'Treasury' }));
    await expect(wallets(2, 'EOA', named)).rejects.toThrow('creates wallets with other labels.');
    expect((await wallets(2, 'EOA')).wallets).toHaveLength(2);
  });
});
