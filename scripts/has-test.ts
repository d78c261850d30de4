/** Whether a test file has a test with exactly this name. Documents name tests as proof of rules. */
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
