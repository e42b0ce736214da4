import { randomUUID } from 'node:crypto';
import { batchCall } from '../../../src/custody/batch';
import { batchesHash } from '../../../src/custody/reference';
import { createWallet, settled, usdc } from '../../support/sandbox';
import { asOf, callFrom, partsOf, payee, stranger, transferFrom } from '../writer';
import type { Attack } from './attack';
import { byteAttacks } from './byteAttacks';
import { contractAttacks } from './contractAttacks';
import { smartAttacks } from './smartAttacks';

/** A transfer as the activity sends it, with changes. */
const transferring =
  (amount: string, fields: object = {}): Attack[2] =>
  (api, { wallet }) => {
    const { input, how } = transferFrom(wallet, amount, fields);
    return api.createTransfer(input, how);
  };

/** The end of a reference of another payout's batches, as a text. */
const imitation = `1 ${batchesHash('payout:victim')}.b`;

/** Raw calls, as a hostile caller makes them. */
export const attacks: readonly Attack[] = [
  [
    'a transfer to a stranger',
    /0x6{40} is no recipient of the rules out/,
    transferring('1', { destinationAddress: stranger }),
  ],
  [
    'more than one transfer may have',
    /5\.000001 is more than 5, which the rule out allows/,
    transferring('5.000001'),
  ],
  [
    'another token',
    /names the token 0x89b5/,
    (api, { wallet }) => {
      const tokenAddress = '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a';
      const { input, how } = transferFrom(wallet, '1', { tokenAddress });
      return api.createTransfer(input, how);
    },
  ],
  [
    'another wallet',
    /No rule names the wallet/,
    async (api, { client }) => {
      const other = await createWallet(client, 'EOA');
      if (other === undefined) throw new Error('No wallet was made.');
      const { input, how } = transferFrom(other, '1');
      return api.createTransfer(input, how);
    },
  ],
  [
    'two fields for the sender',
    /walletId has no place/,
    (api, place) => transferring('1', { walletId: place.wallet.id })(api, place),
  ],
  [
    'another chain',
    /It is for ETH, and this writer serves ARC-TESTNET/,
    transferring('1', { blockchain: 'ETH' }),
  ],
  ['an amount of zero, for the fee alone', /Its amount is zero/, transferring('0')],
  [
    'two amounts',
    /amounts must have at most 1 entry|amounts/,
    transferring('1', { amounts: ['1', '1'] }),
  ],
  ['a gas price of its own', /gasPrice has no place/, transferring('1', { gasPrice: '1000000' })],
  [
    'a key that is not of its parts',
    /key does not follow from its workflow/,
    (api, { wallet }) => {
      const { input } = transferFrom(wallet, '1');
      return api.createTransfer(input, { parts: partsOf() });
    },
  ],
  [
    'a call without the parts of its key',
    /without the parts of its key/,
    (api, { wallet }) => api.createTransfer(transferFrom(wallet, '1').input),
  ],
  [
    'a step that no order makes',
    /No order makes a createTransfer in a step "refund"/,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf('refund'));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  ...(
    [
      ['an item that no order makes', { item: '2' }, /makes no write transfer\/2/],
      ['an item that imitates the batches of a payout', { item: imitation }, /makes no write "/],
      ['an item with a space', { item: '1 ' }, /makes no write "/],
      ['an item in other digits', { item: '\u0661' }, /makes no write "/],
      ['no item', { item: '' }, /makes no write "?transfer\//],
      ['the id of a line with a space', { step: 'line', item: `a ${imitation}` }, /makes no write/],
      ['the number of a wallet that no sweep has', { step: 'sweep', item: '51' }, /no write sweep/],
      ['an id that imitates a batch', { workflowId: `x batch/${imitation}` }, /id: .* cannot be/],
      ['an id with a line break', { workflowId: 'transfer:1\n' }, /id: .* cannot be used/],
    ] as const
  ).map(
    ([what, fields, words]): Attack => [
      what,
      words,
      (api, { wallet }) => {
        const { identity, how } = asOf(partsOf('transfer', fields));
        return api.createTransfer({ ...transferFrom(wallet, '0.000001').input, ...identity }, how);
      },
    ],
  ),
  [
    'a step that only looks like one',
    /No order makes a createTransfer in a step "transfer /,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf(`transfer ${imitation}`));
      return api.createTransfer({ ...transferFrom(wallet, '0.000001').input, ...identity }, how);
    },
  ],
  [
    'a batch whose name does not follow from its payments',
    /It is not the batch 0{20}, whose name follows from its payments/,
    (api, { wallet }) => {
      const payments = [{ to: payee, baseUnits: '1', mark: '5e'.repeat(16) }];
      const call = batchCall(
        { ...wallet, accountType: 'EOA' },
        { tokenAddress: usdc, payments },
        { mayFail: true },
      );
      const { identity, how } = asOf(partsOf('batch', { item: '0'.repeat(20) }));
      return api.executeContract({ ...identity, walletId: wallet.id, ...call }, how);
    },
  ],
  [
    'a call as a batch of a payout, that pays no line',
    /It is not the batch/,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf('batch', { item: '0'.repeat(20) }));
      const { input } = callFrom(wallet, 'transfer(address,uint256)', {
        abiParameters: [payee, '1'],
      });
      return api.executeContract({ ...input, ...identity }, how);
    },
  ],
  [
    'a new generation without an end of the one before',
    /needs an end without effect of generation 0/,
    (api, { wallet }) => {
      const { identity, how } = asOf(partsOf('transfer', { generation: 1 }));
      return api.createTransfer({ ...transferFrom(wallet, '1').input, ...identity }, how);
    },
  ],
  ...contractAttacks,
  ...byteAttacks,
  ...smartAttacks,
  [
    'a cancellation of a transaction that another system made',
    /is not a transaction of this writer/,
    async (api, { wallet, client }) => {
      const foreign = { idempotencyKey: randomUUID(), refId: '', destinationAddress: stranger };
      const { input } = transferFrom(wallet, '1', foreign);
      const { id } = await client.createTransfer(input);
      await settled(client, id);
      const parts = partsOf('cancel');
      const { identity, how } = asOf(parts);
      return api.cancelTransaction({ id, idempotencyKey: identity.idempotencyKey }, how);
    },
  ],
  ...(
    [
      ['signMessage', { message: 'x' }],
      ['signTypedData', { data: '{}' }],
      ['signTransaction', { transaction: '{}' }],
      ['signDelegateAction', { unsignedDelegateAction: 'x' }],
      ['upgradeWallet', { newScaCore: 'circle_6900_singleowner_v2' }],
      ['deployContract', { bytecode: '0x00' }],
      ['registerEntitySecret', { entitySecretCiphertext: 'x' }],
      ['updateWallet', { name: 'x' }],
      ['createSubscription', { endpoint: 'https://example.com' }],
      ['requestDrip', { usdc: true }],
    ] as const
  ).map(
    ([name, fields]): Attack => [
      name,
      /is closed under a policy\. Nothing was sent/,
      (api, { wallet }) => {
        const call: (input: never) => Promise<unknown> = api[name];
        return call({ walletId: wallet.id, ...fields } as never);
      },
    ],
  ),
];
