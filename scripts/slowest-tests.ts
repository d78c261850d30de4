/** Reads the times of tests from what Node's test runner prints. A group is as slow as its tests, so it is left out. */

/** Where a group of tests begins. Its result has the same indentation. */
const GROUP = /^( *)▶ (.*)$/;
const RESULT = /^( *)[✔✖] (.*) \((\d+(?:\.\d+)?)ms\)/;
/** Of each level of groups. */
const INDENT = 2;

export interface TimedTest {
  /** Behind the names of its groups. */
  readonly name: string;
  readonly milliseconds: number;
}

/** `read` takes the lines of one run, in their order. */
export function createTestTimes() {
  const tests: TimedTest[] = [];
  const groups: string[] = [];
  return {
    tests: tests as readonly TimedTest[],
    read(line: string): void {
      const [, before = '', group] = GROUP.exec(line) ?? [];
      if (group !== undefined) groups[before.length / INDENT] = group;
      const [, indent = '', name, milliseconds] = RESULT.exec(line) ?? [];
      if (name === undefined) return;
      const [ended] = groups.splice(indent.length / INDENT);
      if (ended !== name)
        tests.push({ name: [...groups, name].join(' › '), milliseconds: Number(milliseconds) });
    },
  };
}

/** One line for each of the slowest, with seconds. */
export function listSlowest(tests: readonly TimedTest[], count: number): readonly string[] {
  return tests
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, count)
    .map(({ name, milliseconds }) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s  ${name}`);
}
