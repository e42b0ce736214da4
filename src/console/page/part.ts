import { failureWords } from '../watch/failureWords';
import { html, type Part } from './html';

/** A part of a page. Where it cannot be read, the page says why, and shows all other parts. */
export async function partOf<Told>(
  read: Promise<Told>,
  shown: (told: Told) => Part,
): Promise<Part> {
  try {
    return shown(await read);
  } catch (error) {
    return html`<p class="warn">${failureWords(error)}</p>`;
  }
}
