/**
 * The QR code of an address, for the page and for the PDF: its dark modules, as runs within a row. Level M, which is
 * read with up to 15 % of it scratched, and the quiet zone of ISO/IEC 18004, section 5.3.8.
 */

import { encodeQR } from 'qr';
import { type Html, html } from 'seeother';

const QUIET_ZONE = 4;

export interface QrCode {
  /** Modules of a side, with the quiet zone. */
  readonly size: number;
  readonly runs: readonly { readonly x: number; readonly y: number; readonly length: number }[];
}

export function toQrCode(text: string): QrCode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const runs = rows.flatMap((row, y) => {
    const found: { x: number; y: number; length: number }[] = [];
    for (let x = row.indexOf(true); x !== -1; ) {
      const end = row.indexOf(false, x);
      found.push({ x, y, length: end - x });
      x = row.indexOf(true, end);
    }
    return found;
  });
  return { size: rows.length, runs };
}

/** One shape, so that no seams show between its rows. */
export function drawQrCode(text: string): Html {
  const { size, runs } = toQrCode(text);
  const path = runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('');
  return html`<svg role="img" aria-label="Code" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}
