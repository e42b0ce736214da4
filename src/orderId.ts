import { BadOrderError } from './orders/read';
import { shown } from './orders/shown';

const idForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;

/** The caller's own id of an order, as it was given; throws a BadOrderError where it is none. */
export function readOrderId(id: string): string {
  if (idForm.test(id)) return id;
  throw new BadOrderError(
    `id: ${shown(id)} cannot be used. Give up to 200 letters, digits and . _ : - ` +
      'that start with a letter or digit, such as transfer:invoice-4711.',
  );
}

/** The workflow id of an order: the caller's own id, after the scope of its system, if it has one. */
export function workflowIdOf(id: string, keyScope: string): string {
  const own = readOrderId(id);
  return keyScope === '' ? own : `${keyScope}:${own}`;
}
