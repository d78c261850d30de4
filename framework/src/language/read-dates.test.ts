import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from './english.ts';
import { createLanguage, type Language } from './language.ts';

const at = (code: string): Language => createLanguage({ ...english, code });

const MONTHS: readonly (readonly [code: string, typed: string, month: string | null])[] = [
  // An exact name wins over one that begins with it.
  ['cs', 'červen 2026', '2026-06'],
  ['cs', 'červenec 2026', '2026-07'],
  ['cs', 'června 2026', '2026-06'],
  ['cs', 'čer 2026', null],
  // As the language writes a month of a year.
  ['es', 'noviembre de 2026', '2026-11'],
  ['ca', 'novembre del 2026', '2026-11'],
  ['ja', '2026年11月', '2026-11'],
  ['zh', '2026年11月', '2026-11'],
  ['ko', '2026년 11월', '2026-11'],
  ['ru', 'ноябрь 2026 г.', '2026-11'],
  ['el', 'Νοέμβριος 2026', '2026-11'],
  ['vi', 'tháng 11 năm 2026', '2026-11'],
  ['hu', '2026. november', '2026-11'],
  ['lt', '2026 m. lapkritis', '2026-11'],
  ['th', 'พฤศจิกายน 2026', '2026-11'],
  // The form of dates, and the form that stands alone.
  ['pl', 'listopada 2026', '2026-11'],
  ['pl', 'listopad 2026', '2026-11'],
  ['uk', 'січня 2026', '2026-01'],
  ['el', 'Νοεμβρίου 2026', '2026-11'],
  ['he', 'בינואר 2026', '2026-01'],
  ['ca', 'd’abril 2026', '2026-04'],
  // Capitals, with and without accents.
  ['tr', 'KASIM 2026', '2026-11'],
  ['tr', 'HAZİRAN 2026', '2026-06'],
  ['tr', 'kasim 2026', '2026-11'],
  ['el', 'ΝΟΕΜΒΡΙΟΣ 2026', '2026-11'],
  ['fr', 'FEVRIER 2026', '2026-02'],
  ['fr', 'fe\u0301vrier 2026', '2026-02'],
  ['ru', 'НОЯБРЬ 2026', '2026-11'],
  // Combining marks count.
  ['hi', 'जून 2026', '2026-06'],
  ['hi', 'जुलाई 2026', '2026-07'],
  ['hi', 'जन 2026', '2026-01'],
  // The form of one letter: of June it would be another.
  ['hi', 'ज 2026', '2026-01'],
  ['mr', 'जून २०२६', '2026-06'],
  ['bn', 'জুন ২০২৬', '2026-06'],
  // Abbreviations, with and without a dot, and beginnings.
  ['de', 'Mrz 2026', '2026-03'],
  ['de', 'Mrz. 2026', '2026-03'],
  ['de-AT', 'Jänner 2026', '2026-01'],
  ['nl', 'mrt 2026', '2026-03'],
  ['nl', 'mrt. 2026', '2026-03'],
  ['fr', 'sept. 2026', '2026-09'],
  ['fr', 'juil 2026', '2026-07'],
  ['fr', 'jui 2026', null],
  ['en', 'Ju 2026', null],
  ['en', 'Sept 2026', '2026-09'],
  ['en', 'N 2026', '2026-11'],
  ['en', 'J 2026', null],
  // Digits of all scripts, in numbers.
  ['fa', '۱۱/۲۰۲۶', '2026-11'],
  ['en', '१२/२०२६', '2026-12'],
  ['en', '2026-11', '2026-11'],
  ['en', '\u200e2026-11\u200f', '2026-11'],
  ['en', '112026', '2026-11'],
  ['en', 'November', null],
  ['en', 'November 26', null],
  ['en', 'November November 2026', null],
];

for (const [code, typed, month] of MONTHS) {
  test(`in ${code}, "${typed}" is ${month ?? 'no month'}`, () => {
    assert.equal(at(code).parseMonth(typed), month);
    // The same name in a date.
    if (month === null || !/\p{L}/u.test(typed)) return;
    const name = typed.replace(/\p{Nd}{4}.*$|^\p{Nd}{4}\S*/u, '').trim();
    if (/^\p{L}[^\d]*$/u.test(name)) {
      assert.equal(at(code).parseMonthName(name), Number(month.slice(5)), name);
      assert.equal(at(code).parseDate(`23 ${name} 2026`), `${month}-23`, name);
      assert.equal(at(code).parseDate(`7. ${name} 2026`), `${month}-07`, name);
    }
  });
}

const DATES: readonly (readonly [code: string, typed: string, date: string | null])[] = [
  ['en', 'November 23, 2026', '2026-11-23'],
  ['en', 'Monday, November 23, 2026', '2026-11-23'],
  ['en', '23 Nov 2026', '2026-11-23'],
  ['de', '23. November 2026', '2026-11-23'],
  ['de', '23. Mrz. 2026', '2026-03-23'],
  ['ja', '2026年11月3日', '2026-11-03'],
  ['ja', '2026年3月11日水曜日', '2026-03-11'],
  ['vi', '11 tháng 3 năm 2026', '2026-03-11'],
  ['he', '4 בינואר 2026', '2026-01-04'],
  ['hi', '१५ जून २०२६', '2026-06-15'],
  ['es', '3 mar 2026', '2026-03-03'],
  ['ky', '2026-04-01', '2026-04-01'],
  ['en', 'November 31, 2026', null],
  ['en', 'Ju 3, 2026', null],
  ['en', '3 5 Nov 2026', null],
  ['en', `${'1 '.repeat(45)}Nov 2026`, null],
];

for (const [code, typed, date] of DATES) {
  test(`in ${code}, "${typed.slice(0, 40)}" is ${date ?? 'no date'}`, () => {
    assert.equal(at(code).parseDate(typed), date);
  });
}

/** Languages of more than 20 scripts. V8 knows 250. */
const CODES =
  'am ar as az be bg bn bs ca ceb cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu he hi hr hu hy id is it ja ka kk km kn ko ku ky lo lt lv mk ml mn mr ms my ne nl no or pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi yo zh zh-Hant zu'.split(
    ' ',
  );

test('what a language writes or suggests, it reads as the same value', () => {
  assert.ok(CODES.length >= 80);
  const failed: string[] = [];
  let count = 0;
  for (const [at, code] of CODES.entries()) {
    const language = createLanguage({ ...english, code });
    const { formatDate, parseDate, formatMonth, parseMonth, parseMonthName } = language;
    const check = (shown: string, read: unknown, value: unknown) => {
      count++;
      if (read !== value) failed.push(`${code}: ${shown} is ${value}, not ${read}`);
    };
    const formats = (['long', 'short'] as const)
      .flatMap((month) => [{ month }, { month, day: 'numeric' } as const])
      .map(
        (options) =>
          new Intl.DateTimeFormat(code, { ...options, calendar: 'gregory', timeZone: 'UTC' }),
      );
    for (let month = 1; month <= 12; month++) {
      const text = `2026-${String(month).padStart(2, '0')}`;
      check(formatMonth(text), parseMonth(formatMonth(text)), text);
      const capitals = formatMonth(text).toLocaleUpperCase(code);
      check(capitals, parseMonth(capitals), text);
      const date = `${text}-${String(((month * 7 + at) % 28) + 1).padStart(2, '0')}`;
      for (const style of ['numeric', 'long', 'full'] as const)
        check(formatDate(date, style), parseDate(formatDate(date, style)), date);
      for (const format of formats) {
        const parts = format.formatToParts(Date.parse(`${text}-23`));
        const name = parts.find(({ type }) => type === 'month')?.value ?? '';
        if (/^\p{N}+$/u.test(name)) continue;
        check(name, parseMonthName(name), month);
        const bare = name.replaceAll('.', '').normalize('NFD');
        check(bare, parseMonth(`${bare} 2026`), text);
      }
    }
    for (const time of ['00:05', '06:30', '12:00', '14:30', '23:59'])
      check(time, language.parseTime(language.formatTime(time)), time);
    for (const number of ['-7', '1234.50', '1234567']) {
      const shown = language.formatNumber(number);
      check(shown, language.parseDecimal(shown), number);
      const units = Number(number) * 100;
      const money = language.formatMoney(units, 'EUR');
      check(money, language.parseMoney(money, 'EUR'), units);
    }
  }
  assert.deepEqual(failed, [], `${failed.length} of ${count}`);
});
