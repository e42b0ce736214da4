import { stillCounting } from '../../../src/client/signing/stillCounting';
import { readOrderOf } from '../../../src/orders/kinds';
import { requestFor, textOf } from '../../../src/writer/signing/statement';
import { consoleOrigin, testPasskey } from '../../writer/signing/passkeys';

const passkey = testPasskey();
const text = textOf(
  requestFor({
    entity: 'account-1',
    blockchain: 'ARC-TESTNET',
    namespace: 'default',
    workflowId: 'transfer:invoice-1',
    kind: 'transferStablecoin',
    order: readOrderOf('transferStablecoin', {
      from: { walletId: '0c3f3d3e-1111-4222-8333-4444aaaa6666' },
      to: '0x523b27014BA9331e4a6c1bD7BC3b2b9F3B2BEC7d',
      amount: '1',
      token: 'USDC',
    }),
    expires: new Date(Date.now() + 3_600_000),
  }),
);
const way = 'cancel it.';

describe('a request of a passkey that still counts', () => {
  it('is told with the console where its signer withdraws it', () => {
    const words = stillCounting(passkey.touch(text, 'request'), { key: undefined, way });
    expect(words).toContain(`its signer withdraws it with their passkey at ${consoleOrigin}`);
    expect(words).not.toContain('STEADFAST_SIGN_KEY');
  });

  it('is not told after its own passkey has withdrawn it, nor if it fits nothing', () => {
    const [, key = ''] = passkey.publicKey.split(' ');
    expect(stillCounting(passkey.touch(text, 'request'), { key, way })).toBeUndefined();
    expect(stillCounting(passkey.touch(text, 'approval'), { key: undefined, way })).toBeUndefined();
  });
});
