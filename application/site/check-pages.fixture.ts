/** For valid-html.test.ts and valid-html.release.test.ts: asks for pages, and checks each with html-validate. */
import type { TestContext } from 'node:test';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { bodyText, type Visitor } from 'seeother/testing';
import { pathOf } from '../security/probe.ts';
import {
  createTestApplication,
  headerOf,
  type TestApplication,
  type TestOptions,
} from '../testing/create-test-application.ts';

/** The rules of the standard, without those of style, and that a page refers to nothing it lacks. */
const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:standard'],
    rules: { 'missing-doctype': 'error', 'no-missing-references': 'error' },
  }),
);

export async function findErrors(markup: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(markup);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `line ${line}: ${ruleId}: ${message}`),
  );
}

interface Pages {
  readonly open: (t: TestContext, options?: TestOptions) => Promise<TestApplication>;
  /** The statuses of the pages so far. */
  readonly statuses: Set<number>;
  readonly errors: string[];
}

/** Checks every page of the applications that it opens. */
export function checkPages(): Pages {
  const statuses = new Set<number>();
  const errors: string[] = [];
  const seen = new Set<string>();
  const open: Pages['open'] = async (t, options) => {
    const application = await createTestApplication(t, options);
    const handle: TestApplication['handle'] = async (request) => {
      const answer = await application.handle(request);
      if (!headerOf(answer, 'Content-Type')?.startsWith('text/html')) return answer;
      statuses.add(answer.status);
      // The first nine items are of every kind.
      if (/^\/items\/\d\d/.test(request.target)) return answer;
      const markup = bodyText(answer);
      // Pages that differ in text, numbers, typed values, links and the count of equal rows alone have the
      // same errors.
      const same = markup
        .replaceAll(/(?<=>)[^<]+|(?<= (?:value|datetime|title|href|action)=")[^"]*|\d+/g, '')
        .replaceAll(/(<(tr|li|option)\b[^>]*>(?:(?!<\/\2>).)*<\/\2>)\1+/g, '$1');
      if (seen.has(same)) return answer;
      seen.add(same);
      const page = `${request.method} ${request.target} ${answer.status}`;
      for (const error of await findErrors(markup)) errors.push(`${page}: ${error}`);
      return answer;
    };
    return { ...application, handle };
  };
  return { open, statuses, errors };
}

/** Opens the page of every route. */
export async function openAll({ routes }: TestApplication, visitor: Visitor): Promise<void> {
  for (const { method, pattern } of routes) {
    if (method === 'GET') await visitor.follow(await visitor.get(pathOf(pattern)));
  }
}

/** Sends every form without a field, which most refuse with the form again. */
export async function sendAll({ routes }: TestApplication, visitor: Visitor): Promise<void> {
  for (const { method, pattern } of routes) {
    if (method !== 'POST' || pattern === '/logout') continue;
    await visitor.follow(await visitor.post(pathOf(pattern)));
  }
}
