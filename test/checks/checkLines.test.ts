import { checkLines } from '../../src/checks/checkLines';

const line = {
  lineId: 'a',
  to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
  amount: '1',
  token: 'USDC',
};
const paying = { workflowId: 'payout:a', blockchain: 'ARC-TESTNET', wallets: [] };

describe('the checks of a payout', () => {
  it('are run without an archive that is away, and tell which ones that leaves out', async () => {
    const away = async function* () {
      yield [];
      throw new Error('The archive is locked.');
    };
    const without = await checkLines([line], paying, { archive: { payments: away } });
    expect(without).toEqual(await checkLines([line], paying, {}));
    expect(without.told.leftOut).toContain('newPayee');
    const strictly = { ...paying, strict: true };
    await expect(checkLines([line], strictly, { archive: { payments: away } })).rejects.toThrow(
      'The archive is locked.',
    );
    const archive = {
      payments: async function* () {
        yield [];
      },
    };
    const { told } = await checkLines([line], paying, { archive });
    expect(told.ran).toContain('newPayee');
  });
});
