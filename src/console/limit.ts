import { Refusal } from './refusal';

const windowMs = 60_000;
const addressesMax = 10_000;

/**
 * Counts attempts of an address in a minute. Throws a Refusal above the most. Where it knows too
 * many addresses, it forgets all of them but goes on counting.
 */
export function limiter(most: number): (address: string) => void {
  let counts = new Map<string, number>();
  let beganMs = Date.now();
  return (address) => {
    if (Date.now() - beganMs >= windowMs || counts.size > addressesMax) {
      counts = new Map();
      beganMs = Date.now();
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (count > most) throw new Refusal(429, 'Too many attempts. Wait a minute, and try again.');
  };
}
