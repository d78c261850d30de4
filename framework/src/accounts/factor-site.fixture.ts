/** A site with accounts whose second factor is a one-time code, and a clock that only moves when a test moves it. */
import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Database } from '../database/database.ts';
import type { Response } from '../http/response.ts';
import { bodyText, createVisitor, type Visitor } from '../testing/visitor.ts';
import { totp } from '../totp/totp.ts';
import { createAccountSite, type Given, PASSWORD } from './accounts-site.fixture.ts';

/** Milliseconds in which an app shows one code. */
export const STEP = 30_000;

export interface Clock {
  readonly now: () => Date;
  readonly pass: (milliseconds: number) => void;
}

export function createClock(): Clock {
  let time = Date.parse('2026-06-01T12:00:00Z');
  return {
    now: () => new Date(time),
    pass(milliseconds) {
      time += milliseconds;
    },
  };
}

/** Several instances have one database and one clock. */
export function createFactorSite(
  database: Database,
  given: Given = {},
  clock: Clock = createClock(),
) {
  const { now, pass } = clock;
  const one = createAccountSite(database, {
    totp: totp(),
    secrets: 'a secret of this test, with enough characters',
    now,
    ...given,
    site: { session: { now }, ...(given.site as object) },
  });
  const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: now().getTime() });
  const switchOn = async (visitor: Visitor, page?: Response) => {
    const form = page ?? (await visitor.get('/account/second-factor'));
    const shown = bodyText(form);
    const [, key = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(shown) ?? [];
    const secret = key.replaceAll(' ', '');
    const codes = [...shown.matchAll(/<li><code>([A-Z-]+)<\/code>/g)].map(([, code = '']) => code);
    const done = await visitor.submit(form, { code: codeOf(secret) });
    assert.equal(done.status, 303, bodyText(done));
    // The code was used.
    pass(STEP);
    return { secret, codes, done };
  };
  /** A browser that has proved the password alone. */
  const beginLogIn = async (username: string, address = '192.0.2.1') => {
    const visitor = createVisitor(one.site, { address });
    const begun = await visitor.submit('/login', { username, password: PASSWORD });
    assert.equal(begun.headers['Location'], '/login/second-factor', bodyText(begun));
    return visitor;
  };
  return { ...one, ...clock, clock, codeOf, switchOn, beginLogIn };
}
