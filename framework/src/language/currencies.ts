/**
 * The decimals of currencies by ISO 4217. `Intl` has others for some, such as none for HUF, and they change with its
 * version: an amount that is stored in minor units would change with it.
 */

const DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const DIGITS_OF = new Map(
  Object.entries(DIGITS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
);

/** The digits behind the decimal separator. Throws a `TypeError` for what is no code, such as `eur`. */
export function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new TypeError(
      `Cannot use ${JSON.stringify(currency)} as a currency: write its code of ISO 4217 in capitals, such as EUR.`,
    );
  }
  return DIGITS_OF.get(currency) ?? 2;
}
