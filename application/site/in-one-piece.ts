/** For markup that many pages use: V8 stores concatenated text as a tree of its pieces, which every use walks again. */
import { type Html, trustedHtml } from 'seeother';

export function inOnePiece({ markup }: Html): Html {
  return trustedHtml(Buffer.from(markup).toString());
}
