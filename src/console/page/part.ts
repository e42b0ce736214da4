import { Refusal } from '../refusal';
import { failureWords } from '../watch/failureWords';
import { html, inLines, type PagePart } from './html';

/** A part of a page. Where it cannot be read, the page says why, and shows all other parts. */
export async function partOf<Told>(
  read: Promise<Told>,
  shown: (told: Told) => PagePart,
): Promise<PagePart> {
  try {
    return shown(await read);
  } catch (error) {
    return html`<p class="warn">${inLines(failureWords(error))}</p>`;
  }
}

/** The whole of a page or a file. Throws a Refusal with the reason where it cannot be read. */
export async function wholeOf<Told>(read: Promise<Told>): Promise<Told> {
  try {
    return await read;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(503, failureWords(error));
  }
}
