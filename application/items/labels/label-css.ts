/**
 * The style of the page of labels, of one sheet. It is a file of its own address, because the policy allows no style
 * within a page. The paper has no margin, so that a printer adds none: what is on it begins at its edge.
 */
import { LINE, layOut } from './label-layout.ts';
import type { Sheet } from './sheets.ts';

/** A sheet of the height of the page would be followed by an empty one: browsers round the page down to points. */
const ROUNDING = 0.5;

export function labelCss(sheet: Sheet): string {
  const { pageWidth, pageHeight, top, left, columns, rows, width, height } = sheet;
  const { padding, isStacked, code, gap, textHeight, nameSize, smallSize } = layOut(sheet);
  const mm = (length: number) => `${Math.round(length * 1_000) / 1_000}mm`;
  return `@page { size: ${mm(pageWidth)} ${mm(pageHeight)}; margin: 0 }
.sheet {
  background: #fff; box-sizing: border-box; color: #000; display: grid; overflow: hidden;
  grid-template: repeat(${rows}, ${mm(height)}) / repeat(${columns}, ${mm(width)}); gap: ${mm(sheet.rowGap)} ${mm(sheet.columnGap)};
  height: ${mm(pageHeight)}; padding: ${mm(top)} 0 0 ${mm(left)}; width: ${mm(pageWidth)};
  font: ${mm(smallSize)}/${LINE} system-ui, sans-serif; list-style: none; margin: 0 0 1rem;
}
.label {
  align-items: ${isStacked ? 'stretch' : 'center'}; box-sizing: border-box; display: flex; gap: ${mm(gap)}; overflow: hidden; padding: ${mm(padding)};
  ${isStacked ? 'flex-direction: column; text-align: center;' : ''}
}
.edges .label { outline: 0.1mm solid #000; outline-offset: -0.05mm }
.label svg { display: block; flex: none; height: ${mm(code)}; width: ${mm(code)}; ${isStacked ? 'align-self: center' : ''} }
.label div { flex: 1; max-height: ${mm(textHeight)}; min-width: 0; overflow: hidden }
.label b { display: -webkit-box; font-size: ${mm(nameSize)}; font-weight: 700; overflow: hidden; overflow-wrap: anywhere; -webkit-box-orient: vertical; -webkit-line-clamp: 4 }
${[1, 2, 3].map((lines) => `.name-${lines} b { -webkit-line-clamp: ${lines} }\n`).join('')}.label span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
@media screen { .sheets { overflow: auto } .sheet { outline: 1px solid #8888 } .label { outline: 1px dotted #8888; outline-offset: -1px } }
@media print {
  html, body, main { display: block; margin: 0; max-width: none; min-height: 0; padding: 0; width: auto }
  main > :not(.sheets) { display: none }
  .sheet { break-after: page; break-inside: avoid; height: ${mm(pageHeight - ROUNDING)}; margin: 0 }
  .sheet:last-child { break-after: auto }
}
`;
}
