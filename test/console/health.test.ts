import type { PolicyTold } from '../../src/client/account/told';
import { policyReader } from '../../src/console/people';
import { Refusal } from '../../src/console/refusal';
import { broken, fine } from '../../src/health/finding';
import { consoleOffice } from './office';

const evil = '<img src=x onerror=alert(1)>';
const now: { writer: () => Promise<PolicyTold>; isAway: boolean } = {
  writer: async () => null,
  isAway: false,
};
const office = consoleOffice({
  watch: {
    temporal: async () => [fine('Temporal', 'answers at localhost:7233')],
    workers: async () => [
      {
        purpose: 'reads',
        queue: 'steadfast',
        identity: `17@${evil}`,
        build: '',
        heardAt: '2026-11-28T12:00:00.000Z',
      },
    ],
    service: async () => {
      if (now.isAway) throw new Refusal(503, 'No worker has answered.');
      return [broken('Notices', `http://hook/${evil} answers 500`, 'Start the receiver.')];
    },
    writer: () => now.writer(),
  },
});

async function page(): Promise<string> {
  const own = await office.signIn(office.people.vi.signIn);
  const { body } = await office.ask('/health', { headers: own });
  expect(body).not.toContain('<img');
  return body;
}

describe('the page of health', () => {
  it('shows workers and findings as text, each fault with its mend', async () => {
    const body = await page();
    expect(body).toContain('<div>17@&lt;img src=x onerror=alert(1)&gt;</div>');
    expect(body).toContain('<span class="good">fine</span>: answers at localhost:7233');
    expect(body).toContain('<span class="bad">fault</span>: http://hook/&lt;img');
    expect(body).toContain('To mend it: Start the receiver.');
  });

  it('says what is not set, and shows the rest', async () => {
    now.isAway = true;
    const body = await page();
    expect(body).toContain('CHAIN_RPC_URL is not set for the console, which is fine');
    expect(body).toContain('<p class="warn">No worker has answered.</p>');
    expect(body).toContain('answers at localhost:7233');
    now.isAway = false;
  });

  it('compares the policy of the writer with its own', async () => {
    const { digest } = policyReader(office.policyFile, 'ARC-TESTNET')();
    const other = 'f'.repeat(64);
    const tellings: [PolicyTold, string][] = [
      [null, 'The writer has no policy'],
      [{ version: 1, digest }, 'Console and writer have the same policy.'],
      [{ version: 2, digest: other }, 'The writer has a newer policy.'],
      [{ version: 0, digest: other }, 'The console has a newer policy.'],
      [{ version: 1, digest: other }, 'have one version and differ'],
      [{ version: 1, digest, fault: 'Version 2 is in force.' }, 'this writer sends nothing'],
    ];
    for (const [told, words] of tellings) {
      now.writer = async () => told;
      expect(await page()).toContain(words);
    }
  });
});
