/** Whether a test file has a test of that name, to the letter: what documents name as the proof of a rule. */
export function hasTest(source: string, name: string): boolean {
  const literals = source.matchAll(
    /\b(?:test|testOnEngines|it|story)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g,
  );
  return (
    name !== '' &&
    [...literals].some(
      ([, single, double, back]) => (single?.replaceAll("\\'", "'") ?? double ?? back) === name,
    )
  );
}
