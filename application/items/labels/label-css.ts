/**
 * The style of the page of labels, of one sheet. It is a file of its own address, because the policy allows no style
 * within a page. The paper has no margin, so that a printer adds none: what is on it begins at its edge.
 */
import { LINE, layOut } from './label-layout.ts';
import type { Sheet } from './sheets.ts';

/** A sheet of the height of the page would be followed by an empty one: browsers round the page down to points. */
const ROUNDING = 0.5;

export function labelCss(sheet: Sheet, hasPicture: boolean): string {
  const { pageWidth, pageHeight, top, left, columns, rows, width, height } = sheet;
  const { isStacked, code, picture, text, nameSize, smallSize } = layOut(sheet, hasPicture);
  const mm = (length: number) => `${Math.round(length * 1_000) / 1_000}mm`;
  const at = ({ left: x, top: y }: { readonly left: number; readonly top: number }) =>
    `left: ${mm(x)}; position: absolute; top: ${mm(y)};`;
  const square = (one: { readonly left: number; readonly top: number; readonly side: number }) =>
    `{ ${at(one)} height: ${mm(one.side)}; width: ${mm(one.side)} }`;
  return `@page { size: ${mm(pageWidth)} ${mm(pageHeight)}; margin: 0 }
.sheet {
  background: #fff; box-sizing: border-box; color: #000; display: grid; overflow: hidden;
  grid-template: repeat(${rows}, ${mm(height)}) / repeat(${columns}, ${mm(width)}); gap: ${mm(sheet.rowGap)} ${mm(sheet.columnGap)};
  height: ${mm(pageHeight)}; padding: ${mm(top)} 0 0 ${mm(left)}; width: ${mm(pageWidth)};
  font: ${mm(smallSize)}/${LINE} system-ui, sans-serif; list-style: none; margin: 0 0 1rem;
}
.label { overflow: hidden; position: relative }
.edges .label { outline: 0.1mm solid #000; outline-offset: -0.05mm }
.label svg ${square(code)}
${picture === null ? '' : `.label img ${square(picture)}\n`}.label div {
  ${at(text)} height: ${mm(text.height)}; overflow: hidden; width: ${mm(text.width)};
  display: flex; flex-direction: column; ${isStacked ? 'text-align: center' : 'justify-content: center'}
}
.label b { display: -webkit-box; font-size: ${mm(nameSize)}; font-weight: 700; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 4; flex: none }
${[1, 2, 3].map((lines) => `.name-${lines} b { -webkit-line-clamp: ${lines} }\n`).join('')}.label span { flex: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
@media screen { .sheets { overflow: auto } .sheet { outline: 1px solid #8888 } .label { outline: 1px dotted #8888; outline-offset: -1px } }
@media print {
  html, body, main { display: block; margin: 0; max-width: none; min-height: 0; padding: 0; width: auto }
  main > :not(.sheets) { display: none }
  .sheet { break-after: page; break-inside: avoid; height: ${mm(pageHeight - ROUNDING)}; margin: 0 }
  .sheet:last-child { break-after: auto }
}
`;
}
