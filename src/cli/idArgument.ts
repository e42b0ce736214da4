import { Argument } from 'commander';
import { readOrderId } from '../orders/orderId';

/** The argument of every command about an order that was started before. */
export function idArgument(): Argument {
  const words = 'the id the order was started under, such as transfer:invoice-4711';
  return new Argument('<id>', words).argParser(readOrderId);
}
