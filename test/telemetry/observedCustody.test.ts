import pino from 'pino';
import { NoAnswerError, RefusedError, UnexpectedAnswerError } from '../../src/custody/errors';
import type { Meter } from '../../src/telemetry/meter';
import { observedCustody } from '../../src/telemetry/observedCustody';
import { createFundedWallet, startTestSandbox, transferOf } from '../support/sandbox';
import { scriptedCustody } from '../support/service/scriptedCustody';
import { someone } from '../support/stages';

/** Records counts and log lines. */
function observers() {
  const counted: object[] = [];
  const lines: string[] = [];
  const meter: Meter = {
    count: (_, labels) => void counted.push(labels),
    observe: () => {},
    set: () => {},
  };
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
  return { counted, lines, observed: { meter, log, traces: undefined } };
}

const wallet = { id: 'ddb21ba4-5f29-4e5e-b1a5-b0ea0a0ad9d8' };

describe('a call to the service', () => {
  test.each([
    ['refused', new RefusedError('no', { status: 409, code: 155264 }), '409', '155264'],
    ['unexpected', new UnexpectedAnswerError('what?', { status: 502 }), '502', ''],
    ['noAnswer', new NoAnswerError('nothing'), '', ''],
  ])('is counted as %s, and its result is unchanged', async (outcome, error, status, code) => {
    const { counted, observed } = observers();
    const custody = observedCustody(scriptedCustody({ getWallet: () => error }), observed);
    await expect(custody.getWallet(wallet)).rejects.toBe(error);
    expect(counted).toEqual([{ endpoint: 'getWallet', outcome, status, code }]);
  });

  test('has the same id in our log and at the service', async () => {
    const sandbox = await startTestSandbox();
    const { lines, observed } = observers();
    try {
      const custody = observedCustody(sandbox.client, observed);
      const [requestId] = ['3f0ab3a8-8b62-4ae9-9d52-3b9a6b0ab0c1'];
      await expect(custody.getWallet(wallet, { requestId })).rejects.toMatchObject({ requestId });
      await expect(custody.getWallet(wallet)).rejects.toThrow();
      const ids = lines.map((line) => JSON.parse(line).requestId);
      expect(ids).toEqual([requestId, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(ids[1]).not.toBe(requestId);
    } finally {
      await sandbox.stop();
    }
  });

  test('is logged without any part of its request or answer', async () => {
    const sandbox = await startTestSandbox();
    const { lines, observed } = observers();
    try {
      const custody = observedCustody(sandbox.client, observed);
      const from = await createFundedWallet(custody, 'EOA');
      const to = someone();
      await custody.createTransfer(transferOf(from, to, { amounts: ['1.23'] }));
      expect(lines.join('')).toContain('"endpoint":"createTransfer"');
      for (const private_ of [from.id, from.address, to, '1.23']) {
        expect(lines.join('')).not.toContain(private_);
      }
    } finally {
      await sandbox.stop();
    }
  });

  test('makes at most 64 time series of codes', async () => {
    const { counted, observed } = observers();
    let code = 0;
    const refused = () => new RefusedError('no', { status: 400, code: ++code });
    const custody = observedCustody(scriptedCustody({ getWallet: refused }), observed);
    for (let call = 0; call < 80; call++) {
      await expect(custody.getWallet(wallet)).rejects.toThrow();
    }
    const codes = new Set(counted.map((labels) => JSON.stringify(labels)));
    expect(codes.size).toBe(65);
    expect([...codes].at(-1)).toContain('"other"');
  });
});
