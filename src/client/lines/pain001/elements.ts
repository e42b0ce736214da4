import { SaxesParser } from 'saxes';
import { rowCharactersMax } from '../row';
import { lostLetter, Misfit } from './xmlText';

/** Deeper than any pain.001. Limits a file of a million nested tags. */
const depthMax = 24;

/** Hears of elements by their paths, such as "Document/CstmrCdtTrfInitn/GrpHdr". */
type Listener = {
  /** The first element. */
  root(name: string, namespace: string): void;
  open(path: string): void;
  /** The text of an element without others in it, and its attributes. Undefined for any other. */
  close(path: string, leaf: Leaf | undefined): void;
};

export type Leaf = { text: string; attributes: Readonly<Record<string, string>> };

/**
 * Parses XML as it comes. CDATA and comments are what every reader of XML takes them for. Refuses a
 * DOCTYPE, text beside elements, and bytes that are no letters. Knows no entities of a file.
 */
export function elementsTo(listener: Listener): { write(chunk: string): void; close(): void } {
  const parser = new SaxesParser({ xmlns: true });
  const open: { name: string; isLeaf: boolean; attributes: Record<string, string> }[] = [];
  let text = '';
  let namespace = '';
  const path = () => open.map(({ name }) => name).join('/');
  const refuseMixed = (): void => {
    if (text.trim() !== '') throw new Misfit(`${path()} holds text beside other elements.`);
    text = '';
  };
  const hear = (more: string): void => {
    text += more;
    if (text.length > rowCharactersMax) {
      throw new Misfit(`${path()} is longer than ${rowCharactersMax} characters.`);
    }
  };
  parser.on('doctype', () => {
    throw new Misfit('has a DOCTYPE, and no pain.001 needs one. Leave it out.');
  });
  parser.on('error', ({ message }) => {
    throw new Misfit(`line ${parser.line}: is no XML that can be read: ${message}.`);
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    refuseMixed();
    const parent = open.at(-1);
    if (parent !== undefined) parent.isLeaf = false;
    const own = Object.values(attributes)
      .filter(({ prefix }) => prefix === '')
      .map(({ local: name, value }) => [name, value]);
    if (open.length === 0) namespace = uri;
    // An element of another namespace means something else, whatever its name.
    const name = uri === namespace ? local : `*:${local}`;
    open.push({ name, isLeaf: true, attributes: Object.fromEntries(own) });
    if (open.length > depthMax) throw new Misfit(`is nested deeper than ${depthMax} elements.`);
    if (open.length === 1) listener.root(local, uri);
    listener.open(path());
  });
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.on('closetag', () => {
    const at = path();
    const top = open.at(-1);
    if (top?.isLeaf === false) refuseMixed();
    const leaf = top?.isLeaf ? { text: text.trim(), attributes: top.attributes } : undefined;
    text = '';
    open.pop();
    listener.close(at, leaf);
  });
  return {
    write: (chunk) => {
      const lost = chunk.indexOf(lostLetter);
      parser.write(lost === -1 ? chunk : chunk.slice(0, lost));
      if (lost !== -1) throw new Misfit(`line ${parser.line}, ${path()}: ${lostFault}`);
    },
    close: () => {
      parser.close();
    },
  };
}

const lostFault =
  'holds a byte that is no letter of the encoding that the file declares. Save it as UTF-8.';
