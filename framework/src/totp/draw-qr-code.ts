/**
 * A QR code as an SVG element that strict policies allow: it has no style, script or address. It brings its own white
 * ground with a quiet zone, because many cameras cannot read white on black.
 */
import { encodeQR } from 'qr';
import { type Html, html } from '../http/html.ts';

/** In modules (ISO/IEC 18004, section 5.3.8). */
const QUIET_ZONE = 4;
/** In CSS pixels: the width of a phone without margins. */
const WIDTH = 288;

/** The title names the picture for screen readers. Throws a RangeError for more than 2,331 bytes. */
export function drawQrCode(text: string, title = 'QR code'): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  // Modules of whole pixels have sharp edges.
  const width = size * Math.max(Math.floor(WIDTH / size), 2);
  return html`<svg class="qr-code" role="img" width="${width}" height="${width}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><title>${title}</title><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${toLines(rows)}"/></svg>`;
}

/** Each run of dark modules as a line of one module's width, through the middle of its row. */
function toLines(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = row.indexOf(true); x !== -1; ) {
      const end = row.indexOf(false, x);
      path += `M${x} ${y + 0.5}h${end - x}`;
      x = row.indexOf(true, end);
    }
  }
  return path;
}
