/** The command that withdraws all that was signed for an order. */
export function wayToWithdraw(id: string): string {
  return `npx --no-install steadfast cancel ${id} --reason "withdrawn"`;
}
