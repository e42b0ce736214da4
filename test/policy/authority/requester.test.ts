import { setTimeout as sleep } from 'node:timers/promises';
import { requestFor, textOf } from '../../../src/authority/statement';
import { canonicalJson } from '../../../src/custody/canonicalJson';
import { WithheldError } from '../../../src/custody/errors';
import type { KeyParts } from '../../../src/custody/idempotencyKey';
import { withUsualParameters } from '../../../src/custody/usualParameters';
import type { Signed } from '../../../src/orders/input/signed';
import { type OrderKind, readOrderOf } from '../../../src/orders/kinds';
import { blockchain, createUsedWallet, settled, usdc } from '../../support/sandbox';
import { asOf, partsOf, payee, stranger, transferFrom } from '../writer';
import { type Ordered, send, signedOrders } from './signedOrders';

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

  it('that nobody has signed, or nobody who may, is not', async () => {
    const order = office.ordered('1.5');
    const text = order.text;
    expect(await refusal(order, undefined)).toContain('wants a signature of @backends');
    const byMallory = await office.keys.mallory.sign(text, 'request');
    expect(await refusal(order, byMallory)).toContain('signed with a key of nobody in the policy');
    expect(await refusal(order, await office.keys.ann.sign(text, 'request'))).toContain(
      'wants a signature of @backends',
    );
    const asApproval = await office.keys.backend.sign(text, 'approval');
    expect(await refusal(order, asApproval)).toContain('It is for steadfast-approval');
    const { signature } = await office.keys.backend.sign(text, 'request');
    const later = textOf({ ...order.statement, expires: '2999-01-01T00:00:00.000Z' });
    expect(await refusal(order, { statement: later, signature })).toContain('does not fit');
    expect(await office.paid()).toEqual([]);
  });

  it.each([
    ['another account', { entity: 'other' }, 'for the entity other'],
    ['another namespace', { namespace: 'prod' }, 'for the namespace prod'],
    ['another chain', { blockchain: 'ETH-SEPOLIA' }, 'for the blockchain ETH-SEPOLIA'],
    ['another order', { order: 'transfer:1' }, 'for the order transfer:1'],
    ['another kind', { kind: 'fundWallet' }, 'wallet: is missing'],
  ])('that was signed for %s is not', async (_, change, words) => {
    const order = office.ordered('1');
    const text = canonicalJson({ ...order.statement, ...change });
    expect(await refusal(order, await office.keys.backend.sign(text, 'request'))).toContain(words);
    expect(await office.paid()).toEqual([]);
  });

  it.each([
    ['amount', { amount: '1.1' }, 'pays 1.1, not 1'],
    ['recipient', { to: stranger }, 'pays 0x6666666666666666666666666666666666666666, not'],
    ['token', { token: 'EURC' }, 'pays EURC, not'],
  ])('that was signed with another %s is not', async (_, change, words) => {
    const order = office.ordered('1');
    const { statement } = order;
    const text = textOf({ ...statement, money: { ...statement.money, ...change } });
    expect(await refusal(order, await office.keys.backend.sign(text, 'request'))).toContain(words);
    expect(await office.paid()).toEqual([]);
  });

  it('that was signed for another wallet, or with steps that it does not make, is not', async () => {
    const order = office.ordered('1');
    const { id } = await createUsedWallet(office.sandbox().client, 'EOA');
    const { statement } = order;
    const money = { ...statement.money, from: { walletId: id } };
    const text = textOf({ ...statement, money });
    expect(await refusal(order, await office.keys.backend.sign(text, 'request'))).toContain(
      'pays from',
    );
    const steps = transferFrom(office.wallet(), '1');
    const signed = await office.keys.backend.sign(order.text, 'request');
    const other = { ...order, ...steps, how: { parts: { ...steps.parts, item: '2' } } };
    expect(await refusal(other, signed)).toMatch(/does not follow from its workflow and step/);
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
    await settled(sandbox.client, (await send({})).id);
    expect(await office.paid()).toEqual([1_000_000n]);
  });

  it('of a deployment is sent with the signed parameters, and no others', async () => {
    const { api } = office.writer();
    const wallet = office.wallet();
    const parts = partsOf('deploy');
    const { identity, how } = asOf(parts);
    const order = { walletId: wallet.id, name: 'Ours', parameters: { name: 'Token' } };
    const request = await signed(order, 'deployContract', parts);
    const { template } = readOrderOf('deployContract', order) as { template: string };
    const usual = withUsualParameters(template, wallet.address, { name: 'Token' });
    const deploy = (fields: object) =>
      api.deployTemplate(
        {
          ...identity,
          id: template,
          name: 'Ours',
          walletId: wallet.id,
          blockchain,
          templateParameters: { ...usual, ...fields },
        },
        { ...how, authority: { request } },
      );
    await expect(deploy({ name: 'Theirs' })).rejects.toThrow('deploys with other parameters');
    await expect(deploy({ defaultAdmin: payee })).rejects.toThrow('deploys with other parameters');
    expect((await deploy({})).transactionId).toBeDefined();
  });

  it('with a statement that can be read in two ways is not', async () => {
    const order = office.ordered('1');
    const text = order.text;
    for (const other of [
      ` ${text}`,
      text.replace('{', '{"kind":"payout",'),
      text.replace('{', '{"extra":"1",'),
      JSON.stringify(JSON.parse(text), null, 1),
    ]) {
      const message = await refusal(order, await office.keys.backend.sign(other, 'request'));
      expect(message).toMatch(/not in its canonical form|extra: "1" has no place/);
    }
    expect(await office.paid()).toEqual([]);
  });
});
