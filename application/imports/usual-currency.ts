/** The currency of amounts of which a file does not say it: that of the fields that exist, or of the country. */
import type { Definitions } from '../own-fields/definitions.ts';

/** Of countries that a browser names beside its language. Most others of Europe have euros. */
const BY_COUNTRY: Readonly<Record<string, string>> = {
  ...{ US: 'USD', GB: 'GBP', CH: 'CHF', LI: 'CHF', AU: 'AUD', BG: 'BGN', BR: 'BRL', CA: 'CAD' },
  ...{ CN: 'CNY', CZ: 'CZK', DK: 'DKK', HK: 'HKD', HU: 'HUF', IL: 'ILS', IN: 'INR', IS: 'ISK' },
  ...{ JP: 'JPY', KR: 'KRW', MX: 'MXN', NO: 'NOK', NZ: 'NZD', PL: 'PLN', RO: 'RON', RU: 'RUB' },
  ...{ SE: 'SEK', SG: 'SGD', TR: 'TRY', UA: 'UAH', ZA: 'ZAR' },
};

/** `languages` is the header Accept-Language. */
export function usualCurrency({ fields }: Definitions, languages: string | undefined): string {
  const own = fields.find(({ kind }) => kind === 'money')?.unit;
  if (own !== undefined) return own;
  const [, country = ''] = /^\s*[a-z]{2,3}-([A-Z]{2})\b/.exec(languages ?? '') ?? [];
  return BY_COUNTRY[country] ?? 'EUR';
}
