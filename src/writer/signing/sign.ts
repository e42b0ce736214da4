import { spawn } from 'node:child_process';
import type { Signed } from '../../orders/input/signed';
import { type Purpose, purposes } from './statement';

/** Signs a statement, as text. Throws one sentence when it cannot. */
export type Signer = (statement: string, purpose: Purpose) => Promise<Signed>;

/**
 * Signs with OpenSSH's own `ssh-keygen -Y sign`, which also asks for a passphrase. The path is that
 * of a private key, or of a public key whose private one is in the SSH agent.
 */
export function sshSigner(keyPath: string): Signer {
  return async (statement, purpose) => {
    const args = ['-Y', 'sign', '-q', '-f', keyPath, '-n', purposes[purpose]];
    const child = spawn('ssh-keygen', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new Error(`ssh-keygen cannot be run: ${error.message}. Install OpenSSH.`)),
      );
      child.once('close', resolve);
      child.stdin.on('error', () => {});
      child.stdin.end(statement);
    });
    if (code === 0) return { statement, signature: output.stdout };
    const [reason = `it ended with ${code}`] = output.stderr.trim().split('\n');
    throw new Error(`The key ${keyPath} cannot sign: ${reason}.`);
  };
}
