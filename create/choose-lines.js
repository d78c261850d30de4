// @ts-check
/**
 * A template has lines for some projects alone. In one whose mark `files` is true, a line behind `// files: ` is
 * written without these words, and the line below `// unless files:` is left out; in all others it is the other way round.
 * @param {string} text
 * @param {Readonly<Record<string, boolean>>} marks
 */
export function chooseLines(text, marks) {
  const names = Object.keys(marks).join('|');
  return text
    .replace(new RegExp(`^ *// unless (${names}):\\n(.*\\n)`, 'gm'), (_, mark, line) =>
      marks[mark] ? '' : line,
    )
    .replace(new RegExp(`^( *)// (${names}):(?: (.*))?\\n`, 'gm'), (_, margin, mark, line = '') =>
      marks[mark] ? `${line && margin}${line}\n` : '',
    );
}
