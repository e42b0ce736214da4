import type { Given } from '../subject';

export function describeTransactions(_: Given): void {}
