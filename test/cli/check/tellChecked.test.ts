import { checks } from '../../../src/checks/checks';
import { tellFindings } from '../../../src/cli/check/tellChecked';

describe('the findings of the checks', () => {
  it('are told within seconds, however many lines have one', () => {
    const many = 200_000;
    const findings = Array.from({ length: many }, (_, at) => {
      return { check: 'newPayee', lineId: `${at}`, words: 'pays somebody' } as const;
    });
    const began = performance.now();
    const told = tellFindings({ ran: ['newPayee'], leftOut: [], findings });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(told).toHaveLength(6);
    expect(told[0]).toBe('Line "0" pays somebody. (newPayee)');
    expect(told.at(-1)).toBe(`And ${many - 5} more: ${checks.newPayee.finds} (newPayee).`);
  });
});
