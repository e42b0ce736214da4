import { createUsedWallet, settled } from '../../support/sandbox';
import { limitOf, writerOf } from '../writer';
import { paymentOf, sendBatch } from './attacks/signedBatches';
import { lineOf, payoutOf, sendLine } from './signedLines';
import { newLedger, signedOrders } from './signedOrders';

const office = signedOrders();
const lines = [lineOf('a', '0.1'), lineOf('b', '0.2'), lineOf('c', '0.3')];

/** A signed payout, and a batch of another payout and wallet that has the marks of its lines. */
async function attacked() {
  const { keys, people, groups, sandbox, wallet } = office;
  const other = await createUsedWallet(sandbox().client, 'EOA');
  const rules = [
    limitOf(wallet(), { orders: ['payout'], signedBy: 'backends' }),
    limitOf(other, { id: 'petty', orders: ['payout'], perTransfer: '0.01' }),
  ];
  const payout = payoutOf(office, lines);
  const request = await keys.backend.sign(payout.text, 'request');
  const writer = () => {
    const { api } = writerOf(sandbox().client, rules, { people, groups, ledger: newLedger() });
    const alone = (at: number) => {
      const authority = { request, proof: payout.proofOf(at) };
      return sendLine(api, payout, { line: lines[at] ?? lineOf('none', '1'), authority });
    };
    const together = (...places: number[]) =>
      sendBatch(api, payout, {
        payments: places.map((at) => paymentOf(payout, lines[at] ?? lineOf('none', '1'))),
        authority: { request, proof: payout.proofOf(...places) },
      });
    return { api, alone, together };
  };
  const first = writer();
  const evil = { ...payout, workflowId: 'payout:evil', wallet: { ...other, accountType: 'EOA' } };
  const payments = lines.map((line) => ({ ...paymentOf(payout, line), baseUnits: '1' }));
  const { id } = await sendBatch(first.api, evil, { payments, authority: {} });
  await settled(first.api, id);
  return { first, writer };
}

describe('the marks of a signed payout in an unsigned batch of another', () => {
  it('hold up no line of it, alone or in a batch', async () => {
    const { api, alone, together } = (await attacked()).first;
    await settled(api, (await alone(0)).id);
    await settled(api, (await together(1, 2)).id);
    await expect(alone(1)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await office.paid()).toEqual([100_000n, 200_000n, 300_000n]);
  });

  it('hold up none of it in a ledger that is built again, where its own marks do', async () => {
    const { first, writer } = await attacked();
    await settled(first.api, (await first.together(0, 1)).id);
    const { api, alone } = writer();
    await expect(alone(1)).rejects.toMatchObject({ next: 'lookUp' });
    await settled(api, (await alone(2)).id);
    await expect(alone(0)).rejects.toMatchObject({ next: 'lookUp' });
    expect(await office.paid()).toEqual([100_000n, 200_000n, 300_000n]);
  });
});
