import { refuseExpired } from '../../../src/client/payout/refuseExpired';
import { readOrderOf } from '../../../src/orders/kinds';
import { signedLinesOf } from '../../../src/writer/signing/signedLines';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { testKeys } from '../../writer/signing/keys';
import { testPasskey } from '../../writer/signing/passkeys';

const key = testKeys()('backend');
const line = {
  lineId: 'a',
  to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
  amount: '1',
  token: 'USDC',
};
const wallets = ['0c3f3d3e-1111-4222-8333-4444aaaa6666'];

/** The statement of a payout that counts for so many hours from now. */
const textFor = (hours: number): string =>
  textOf(
    requestFor({
      entity: 'account-1',
      blockchain: 'ARC-TESTNET',
      namespace: 'default',
      workflowId: 'payout:june',
      kind: 'payout',
      order: readOrderOf('payout', { payoutId: 'june', wallets }),
      lines: signedLinesOf([line]),
      expires: new Date(Date.now() + hours * 3_600_000),
    }),
  );

describe('a retry by a client that signs nothing', () => {
  it('goes where the request counts still, and where there is none', async () => {
    expect(() => refuseExpired('payout:june', undefined)).not.toThrow();
    for (const by of [key, testPasskey()]) {
      const request = await by.sign(textFor(1), 'request');
      expect(() => refuseExpired('payout:june', request)).not.toThrow();
    }
  });

  it('is refused with the way out where the request has expired', async () => {
    const ofKey = await key.sign(textFor(-1), 'request');
    const ofPasskey = await testPasskey().sign(textFor(-1), 'request');
    const words = /has expired at .* Pay its failed lines in a payout of their own/;
    expect(() => refuseExpired('payout:june', ofKey)).toThrow(words);
    expect(() => refuseExpired('payout:june', ofKey)).toThrow('STEADFAST_SIGN_KEY');
    expect(() => refuseExpired('payout:june', ofPasskey)).toThrow(words);
    expect(() => refuseExpired('payout:june', ofPasskey)).not.toThrow('STEADFAST_SIGN_KEY');
  });
});
