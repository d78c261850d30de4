/** Tests of mistakes in JavaScript, or behind `any`, where no compiler finds them. */
import assert from 'node:assert/strict';
import test from 'node:test';

/** A call, and the message of the TypeError that it throws or rejects with. */
export type Mistake = readonly [call: () => unknown, sentence: string | RegExp];

/** Each is a test. The test has the source of its call as its name. */
export function testMistakes(mistakes: readonly Mistake[]): void {
  for (const [call, sentence] of mistakes) {
    const source = `${call}`.replace(/^\(\) => /, '').replaceAll(/\s+/g, ' ');
    test(`a mistake without types is a sentence: ${source}`, async () => {
      await assert.rejects(
        async () => call(),
        (error: Error) => {
          assert.equal(error.name, 'TypeError');
          if (typeof sentence === 'string') assert.equal(error.message, sentence);
          else assert.match(error.message, sentence);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    });
  }
}
