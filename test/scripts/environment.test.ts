import { privateEnvironment } from '../../scripts/environment';

describe('privateEnvironment', () => {
  test('keeps nothing that could point at a real deployment', () => {
    const env = {
      PATH: '/bin',
      HTTPS_PROXY: 'http://proxy',
      TEMPORAL_ADDRESS: 'production:7233',
      CUSTODY_API_KEY: 'LIVE_API_KEY:a:b',
      STEADFAST_LIVE: '1',
      SANDBOX_PORT: '1',
      CHAIN_RPC_URL: 'http://chain',
    };
    expect(privateEnvironment(env)).toEqual({ PATH: '/bin', HTTPS_PROXY: 'http://proxy' });
  });
});
