/**
 * Splits a description into its text and the lines that the page shows as rows, such as `Manufacturer: Bosch`. An
 * import writes them for the columns of a file that have no field. The description is stored as it was.
 */

export interface SplitDescription {
  /** What is not shown as rows. */
  readonly text: string;
  readonly facts: readonly Fact[];
}

type Fact = readonly [key: string, value: string];

/** In UTF-16 code units. */
const MAX_KEY = 40;

/**
 * Rows are two lines or more that end a paragraph: a single one is prose, such as “Note: keep it dry”, and a line that
 * follows may belong to the value before it.
 */
export function splitDescription(description: string): SplitDescription {
  const text: string[] = [];
  const facts: Fact[] = [];
  let run: { readonly line: string; readonly fact: Fact }[] = [];
  for (const line of [...description.split('\n'), '']) {
    const fact = readFact(line);
    if (fact !== null) {
      run.push({ line, fact });
      continue;
    }
    const isList = run.length > 1 && line === '';
    if (isList) facts.push(...run.map((one) => one.fact));
    else text.push(...run.map((one) => one.line));
    run = [];
    if (!isList || text.at(-1) !== '') text.push(line);
  }
  return { text: text.join('\n').trim(), facts };
}

/** Null for a sentence. The space tells a key from an address and a time: `https://example.org`, `Open 10:30`. */
function readFact(line: string): Fact | null {
  const at = line.search(/:\s|：/);
  const [key, value] = [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
  // A mark of direction may stand before the first letter.
  const isKey = key.length <= MAX_KEY && /^\p{Cf}*\p{L}/u.test(key) && !/[.,;!?]\s/.test(key);
  return isKey && value !== '' ? [key, value] : null;
}
