/** What numbers and dates share: checked texts, formats of `Intl` that are made once, and the digits of a language. */

declare const CHECKED: unique symbol;

/** A text that was checked: other text does not compile in its place, and it is used as any text. */
export type Checked<Kind extends string> = string & { readonly [CHECKED]: Kind };

/**
 * Makes a format when it is first used: that costs 6 times as much as its use for a number, and 45 times for a date.
 * The key stands for the options.
 */
export function cacheFormats<Format, Options>(
  create: (options: Options) => Format,
): (key: string, options: Options) => Format {
  const formats = new Map<string, Format>();
  return (key, options) => {
    let format = formats.get(key);
    if (format === undefined) {
      format = create(options);
      formats.set(key, format);
    }
    return format;
  };
}

/** Writes the digits of a language as ASCII. */
export function createDigitReader(code: string): (text: string) => string {
  const ascending = new Intl.NumberFormat(code, { useGrouping: false }).format(1234567890);
  const digits = new Map([...ascending].map((digit, at) => [digit, String((at + 1) % 10)]));
  return (text) => text.replaceAll(/\p{Nd}/gu, (digit) => digits.get(digit) ?? digit);
}

/** Without the marks of direction that `Intl` writes. Typography has many spaces, and keyboards have one. */
export function unifySpaces(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f]/g, '').replaceAll(/\s/g, ' ');
}
