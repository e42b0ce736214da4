import { readFileSync } from 'node:fs';
import type { Signed } from '../../orders/input/signed';
import { sshSigner } from '../../writer/signing/sign';
import { SignatureError, signerOf } from '../../writer/signing/sshSignature';
import type { Purpose } from '../../writer/signing/statement';
import type { Call } from '../call';
import { InputError, messageOf } from '../exit';

/** A signature that was made elsewhere, as `ssh-keygen -Y sign` leaves it beside its text. */
export function readSigned({ signature: path }: Call['flags'], purpose: Purpose): Signed {
  const file = String(path);
  if (!file.endsWith('.sig')) {
    throw new InputError(`--signature: ${file} does not end in .sig, as ssh-keygen names it.`);
  }
  try {
    const read = (name: string): string => readFileSync(name, 'utf8');
    const signed = { statement: read(file.slice(0, -'.sig'.length)), signature: read(file) };
    signerOf(signed, purpose);
    return signed;
  } catch (error) {
    const why = error instanceof SignatureError ? 'cannot be used' : 'cannot be read';
    throw new InputError(`--signature: ${file} ${why}: ${messageOf(error)}`);
  }
}

/** Signs with a key of whoever uses the command. Throws an InputError that names the flag. */
export async function signWith(key: string, statement: string, purpose: Purpose): Promise<Signed> {
  try {
    return await sshSigner(key)(statement, purpose);
  } catch (error) {
    throw new InputError(`--key: ${messageOf(error)}`);
  }
}
