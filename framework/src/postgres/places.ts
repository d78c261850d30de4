/**
 * The places for values: `?`, as on SQLite, becomes `$1` of PostgreSQL. A statement that has `$1` itself is left alone,
 * so that it can use the operators `?`, `?|` and `?&` of jsonb.
 */

/** Bounds the memory of an application that builds SQL from its input. */
const MAX_KNOWN = 500;

const known = new Map<string, string>();

/** `?2` is the second place, and `?` the one after the highest before it. */
export function numberPlaces(sql: string): string {
  if (!sql.includes('?')) return sql;
  let text = known.get(sql);
  if (text === undefined) {
    text = translate(sql);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(sql, text);
  }
  return text;
}

/**
 * A place: `?`, `?2`, `$1`. Or what may contain its characters: a name, a text with or without escapes, a text in
 * dollar quotes, a comment.
 */
const PLACES =
  /\?(?<number>\d*)|(?<dollar>\$\d)|e'(?:[^'\\]|\\.)*'|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|'[^']*'|"[^"]*"|\$(?<tag>(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$.*?\$\k<tag>\$|--[^\n]*|(?<comment>\/\*)/gis;

function translate(sql: string): string {
  let text = '';
  let end = 0;
  let count = 0;
  PLACES.lastIndex = 0;
  for (let found = PLACES.exec(sql); found !== null; found = PLACES.exec(sql)) {
    const { number, dollar, comment } = found.groups as Readonly<Record<string, string>>;
    if (dollar !== undefined) return sql;
    if (comment !== undefined) PLACES.lastIndex = endOfComment(sql, found.index);
    if (number === undefined) continue;
    const place = Number(number) || count + 1;
    count = Math.max(count, place);
    text += `${sql.slice(end, found.index)}$${place}`;
    end = PLACES.lastIndex;
  }
  return text + sql.slice(end);
}

/** Comments nest. */
function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return start + index + 2;
  }
  return sql.length;
}
