/**
 * Whether a test file has a test with exactly this name, which is a `check` in a suite for several engines. Documents
 * name tests as proof of rules.
 */
export function hasTest(source: string, name: string): boolean {
  const literals = source.matchAll(
    /\b(?:test|testOnEngines|repeatOnEngines|it|story|check)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g,
  );
  return (
    name !== '' &&
    [...literals].some(
      ([, single, double, back]) => (single?.replaceAll("\\'", "'") ?? double ?? back) === name,
    )
  );
}
