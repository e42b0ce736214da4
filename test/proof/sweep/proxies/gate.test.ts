import { nameOf } from '../../../../proof/sweep/boundary';
import { type Call, createGate, type Gate } from '../../../../proof/sweep/proxies/gate';

const send: Call = { order: 'one', name: 'send', ends: ['worker', 'sandbox'] };
const told: Call = { order: 'one', name: 'told', ends: ['worker', 'temporal'] };

/** True when a call is still held a moment later. */
async function isWaiting(passing: Promise<boolean>): Promise<boolean> {
  return Promise.race([
    passing.then(() => false),
    new Promise<true>((go) => setImmediate(go, true)),
  ]);
}

function traceOf(gate: Gate): string[] {
  return gate.trace('one').map(nameOf);
}

describe('the gate', () => {
  test('lets all calls by, and notes them', async () => {
    const gate = createGate();
    for (const call of [send, told, send]) {
      const pass = gate.meet(call);
      expect(await pass('before')).toBe(true);
    }
    expect(traceOf(gate)).toEqual(['send · before', 'told · before', 'send (2) · before']);
  });

  test('holds an order at its boundary until it is released', async () => {
    const gate = createGate();
    gate.holdAt('one', { call: 'send', nth: 1, point: 'between' });
    const pass = gate.meet(send);
    expect(await pass('before')).toBe(true);
    expect(gate.isHeld('one')).toBe(false);
    const passing = pass('between');
    expect(await isWaiting(passing)).toBe(true);
    expect(gate.isHeld('one')).toBe(true);
    gate.release(['chain']);
    expect(await passing).toBe(true);
    expect(gate.isHeld('one')).toBe(false);
  });

  test.each([
    ['worker', false],
    ['sandbox', false],
    ['chain', true],
    ['temporal', true],
  ] as const)(
    'loses a held call to the service when the %s is killed: %#',
    async (killed, goesOn) => {
      const gate = createGate();
      gate.holdAt('one', { call: 'send', nth: 1, point: 'before' });
      const passing = gate.meet(send)('before');
      gate.release([killed]);
      expect(await passing).toBe(goesOn);
    },
  );

  test('lets nothing more of an order out once it is held after a call', async () => {
    const gate = createGate();
    gate.holdAt('one', { call: 'send', nth: 1, point: 'after' });
    expect(await gate.meet(send)('after')).toBe(true);
    expect(gate.isHeld('one')).toBe(true);
    const next = gate.meet(told)('before');
    expect(await isWaiting(next)).toBe(true);
    const other = gate.meet({ ...told, order: 'two' })('before');
    expect(await isWaiting(other)).toBe(false);
    gate.release(['temporal']);
    expect(await next).toBe(false);
    expect(traceOf(gate)).toEqual(['send · after']);
  });
});
